# Drawn by osprof. Edit it, and run gnuplot on it again.
# What share of the calls came to a bucket (up) or left it (down), in percentage points.
set terminal pngcairo size 800,429 noenhanced font 'sans-serif,11'
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
set lmargin at screen 0.1043; set rmargin at screen 0.9560
set tmargin at screen 0.9058; set bmargin at screen 0.2064
set logscale x
set xrange [103.968:4.13104e+07]
set xtics ('1 us' 1000, '10 us' 10000, '100 us' 100000, '1 ms' 1000000, '10 ms' 10000000)
set xlabel 'latency'
unset x2label; unset x2tics
unset logscale y
set yrange [-79.4128:85.7854]
set ytics ('-50 %%' -50, '0 %%' 0, '50 %%' 50)
unset ylabel
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'lseek' at graph 0, graph 1.0385 front
set label 'change of share' at screen 0.0216563, graph 0.5 center rotate by 90
set label 'Up: calls came to this latency; down: they left it. In percentage points of the calls.' at screen 0.0165, screen 0.0358974 left tc rgb 0x606060
set key at graph 1, graph 1.00642 right bottom Left reverse horizontal maxcols 2 samplen 1.5 spacing 1
plot $more_before_1_1 using 1:3:(in_log($1, $2, 0.040)):(in_log($1, $2, 0.960)):(0):3 with boxxyerror fc rgb first fs solid border lc rgb first_edge title 'more before', \
	$more_after_1_2 using 1:3:(in_log($1, $2, 0.040)):(in_log($1, $2, 0.960)):(0):3 with boxxyerror fc rgb second fs solid border lc rgb second_edge title 'more after'
