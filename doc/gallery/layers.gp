# Drawn by osprof. Edit it, and run gnuplot on it again.
# Calls by latency, both on logarithmic scales. Above, the peaks and their shares of the calls.
set terminal pngcairo size 800,610 noenhanced font 'sans,11'
set output 'layers.png'
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

$run_1_1 << EOD
# low high calls
32768 65536 3528
65536 131072 35003
131072 262144 523
262144 524288 933
524288 1048576 11
1048576 2097152 1
4194304 8388608 1
EOD
$run_2_1 << EOD
# low high calls
16384 32768 4
32768 65536 19342
65536 131072 19578
131072 262144 181
262144 524288 878
524288 1048576 11
4194304 8388608 1
EOD

set multiplot

# syscall/read
set lmargin at screen 0.1012; set rmargin at screen 0.9560
set tmargin at screen 0.8927; set bmargin at screen 0.5110
set logscale x
set xrange [13307.9:1.03276e+07]
set xtics ('' 23170.5, '' 46341, '' 92681.9, '' 185364, '' 370728, '' 741455, '' 1.48291e+06, '' 2.96582e+06, \
	'' 5.93164e+06)
unset xlabel
set logscale x2
set x2range [13307.9:1.03276e+07]
set x2tics ('24.6 us' 23170.5, '49.2 us' 46341, '98.3 us' 92681.9, '197 us' 185364, '393 us' 370728, '786 us' 741455, '1.57 ms' 1.48291e+06, '3.15 ms' 2.96582e+06, \
	'6.29 ms' 5.93164e+06)
set x2label 'mean latency of the bucket'
set logscale y
set yrange [0.5:6.07251e+06]
set ytics ('1' 1, '10' 10, '100' 100, '1000' 1000, '10000' 10000)
set ylabel 'calls'
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'syscall/read' at graph 0, graph 1 offset 1,-1 front
set arrow from 33651.9, graph 0.810 to 255259, graph 0.810 nohead lw 1.5 lc rgb first_edge
set label '98 %' at 92681.9, graph 0.830 offset 0.8,0 point pt 11 ps 1 lc rgb first_edge
set arrow from 269215, graph 0.810 to 8.16827e+06, graph 0.810 nohead lw 1.5 lc rgb first_edge
set label '2.4 %' at 370728, graph 0.830 offset 0.8,0 point pt 11 ps 1 lc rgb first_edge
unset key
plot $run_1_1 using 1:3:(in_log($1, $2, 0.040)):(in_log($1, $2, 0.960)):(0.5):3 with boxxyerror fc rgb first fs solid border lc rgb first_edge notitle

# block/RS
set lmargin at screen 0.1012; set rmargin at screen 0.9560
set tmargin at screen 0.4890; set bmargin at screen 0.1073
set logscale x
set xrange [13307.9:1.03276e+07]
set xtics ('14' 23170.5, '15' 46341, '16' 92681.9, '17' 185364, '18' 370728, '19' 741455, '20' 1.48291e+06, '21' 2.96582e+06, \
	'22' 5.93164e+06)
set xlabel 'bucket number'
set logscale x2
set x2range [13307.9:1.03276e+07]
set x2tics ('' 23170.5, '' 46341, '' 92681.9, '' 185364, '' 370728, '' 741455, '' 1.48291e+06, '' 2.96582e+06, \
	'' 5.93164e+06)
unset x2label
set logscale y
set yrange [0.5:6.07251e+06]
set ytics ('1' 1, '10' 10, '100' 100, '1000' 1000, '10000' 10000)
set ylabel 'calls'
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'block/RS' at graph 0, graph 1 offset 1,-1 front
set arrow from 16825.9, graph 0.810 to 255259, graph 0.810 nohead lw 1.5 lc rgb first_edge
set label '98 %' at 92681.9, graph 0.830 offset 0.8,0 point pt 11 ps 1 lc rgb first_edge
set arrow from 269215, graph 0.810 to 8.16827e+06, graph 0.810 nohead lw 1.5 lc rgb first_edge
set label '2.2 %' at 370728, graph 0.830 offset 0.8,0 point pt 11 ps 1 lc rgb first_edge
unset key
plot $run_2_1 using 1:3:(in_log($1, $2, 0.040)):(in_log($1, $2, 0.960)):(0.5):3 with boxxyerror fc rgb first fs solid border lc rgb first_edge notitle
unset multiplot
