# Drawn by osprof. Edit it, and run gnuplot on it again.
# What share of the calls came to a bucket (up) or left it (down), in percentage points.
set terminal pngcairo size 800,480 noenhanced font 'sans,11'
set output 'difference.png'
set encoding utf8
set style fill solid
set border lc rgb 0x505050
set tics scale 0.5 nomirror
set bars 0

# The place at part t of the way from low to high, on either kind of axis.
in_log(low, high, t) = low * (high / low) ** t
in_line(low, high, t) = low + (high - low) * t

# Colours: what is filled, and its edge.
first = 0x0072b2; first_edge = 0x004c78
second = 0xe69f00; second_edge = 0x8a5f00

$more_before_1_1 << EOD
# low high points
128 256 -73.5303333333
256 512 -15.683
512 1024 -0.858333333333
1024 2048 -0.04
2048 4096 -0.02
4096 8192 -0.0166666666667
EOD
$more_after_1_2 << EOD
# low high points
8192 16384 0.000333333333333
16384 32768 0.283666666667
32768 65536 39.2366666667
65536 131072 41.0043333333
131072 262144 8.94366666667
262144 524288 0.554666666667
524288 1048576 0.102333333333
1048576 2097152 0.0106666666667
2097152 4194304 0.007
4194304 8388608 0.00433333333333
16777216 33554432 0.000666666666667
EOD


# lseek
set lmargin at screen 0.1012; set rmargin at screen 0.9560
set tmargin at screen 0.8636; set bmargin at screen 0.1364
set logscale x
set xrange [103.968:4.13104e+07]
set xtics ('7' 181.019, '8' 362.039, '9' 724.077, '10' 1448.15, '11' 2896.31, '12' 5792.62, '13' 11585.2, '14' 23170.5, \
	'15' 46341, '16' 92681.9, '17' 185364, '18' 370728, '19' 741455, '20' 1.48291e+06, '21' 2.96582e+06, '22' 5.93164e+06, \
	'23' 1.18633e+07, '24' 2.37266e+07)
set xlabel 'bucket number'
set logscale x2
set x2range [103.968:4.13104e+07]
set x2tics ('384 ns' 362.039, '1.54 us' 1448.15, '6.14 us' 5792.62, '24.6 us' 23170.5, '98.3 us' 92681.9, '393 us' 370728, '1.57 ms' 1.48291e+06, '6.29 ms' 5.93164e+06, \
	'25.2 ms' 2.37266e+07)
set x2label 'mean latency of the bucket'
unset logscale y
set yrange [-79.4128:104.31]
set ytics ('-50 %%' -50, '0 %%' 0, '50 %%' 50)
set ylabel 'after minus before'
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'lseek' at graph 0, graph 1 offset 1,-1 front
set key top right horizontal samplen 1.5
plot $more_before_1_1 using 1:3:(in_log($1, $2, 0.040)):(in_log($1, $2, 0.960)):(0):3 with boxxyerror fc rgb first fs solid border lc rgb first_edge title 'more before', \
	$more_after_1_2 using 1:3:(in_log($1, $2, 0.040)):(in_log($1, $2, 0.960)):(0):3 with boxxyerror fc rgb second fs solid border lc rgb second_edge title 'more after'
