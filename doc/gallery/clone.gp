# Drawn by osprof. Edit it, and run gnuplot on it again.
# Calls by latency, both on logarithmic scales. Above, the peaks and their shares of the calls.
set terminal pngcairo size 800,539 noenhanced font 'sans-serif,11'
set output 'clone.png'
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
16384 32768 22828
32768 65536 15761.6
65536 131072 851.6
131072 262144 404.2
262144 524288 86
524288 1048576 63.4
1048576 2097152 9
2097152 4194304 0.2
EOD
$spread_1_2 << EOD
# low high least most
16384 32768 21414 24250
32768 65536 14188 17276
65536 131072 741 960
131072 262144 305 507
262144 524288 71 119
524288 1048576 59 75
1048576 2097152 6 14
2097152 4194304 0 1
EOD


# clone
set lmargin at screen 0.1078; set rmargin at screen 0.9560
set tmargin at screen 0.7571; set bmargin at screen 0.2000
set logscale x
set xrange [13307.9:5.16379e+06]
set xtics ('14' 23170.5, '15' 46341, '16' 92681.9, '17' 185364, '18' 370728, '19' 741455, '20' 1.48291e+06, '21' 2.96582e+06)
set xlabel 'bucket number'
set logscale x2
set x2range [13307.9:5.16379e+06]
set x2tics ('20 us' 20000, '50 us' 50000, '100 us' 100000, '200 us' 200000, '500 us' 500000, '1 ms' 1000000, '2 ms' 2000000, '5 ms' 5000000)
set x2label 'latency'
set logscale y
set yrange [0.05:401196]
set ytics ('0.1' 0.1, '1' 1, '10' 10, '100' 100, '1000' 1000, '10000' 10000)
unset ylabel
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'clone' at graph 0, graph 1.24359 front
set arrow from 16779.4, graph 0.938 to 4.09548e+06, graph 0.938 nohead lw 1.5 lc rgb first_edge
set label '100 %' at 23170.5, graph 0.958 offset 0.8,0 point pt 11 ps 1 lc rgb first_edge
set label 'calls a run' at screen 0.0216563, graph 0.5 center rotate by 90
set label 'clone by four processes' at screen 0.5, screen 0.964286 center
set label 'Bars: mean of the runs; thin: from the lowest to the highest run. Triangles: peaks, with their extent' at screen 0.0165, screen 0.0642857 left tc rgb 0x606060
set label 'and share of the calls.' at screen 0.0165, screen 0.0285714 left tc rgb 0x606060
unset key
plot $run_1_1 using 1:3:(in_log($1, $2, 0.040)):(in_log($1, $2, 0.960)):(0.05):3 with boxxyerror fc rgb first fs solid border lc rgb first_edge title 'clone-4', \
	$spread_1_2 using 1:3:(in_log($1, $2, 0.362)):(in_log($1, $2, 0.638)):($3 > 0.05 ? $3 : 0.05):4 with boxxyerror fc rgb first_edge fs solid border lc rgb first_edge notitle
