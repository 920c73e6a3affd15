# Drawn by osprof. Edit it, and run gnuplot on it again.
# Calls by latency, both on logarithmic scales. Above, each peak's extent and its share of the calls.
set terminal pngcairo size 800,449 noenhanced font 'sans-serif,11'
set output 'zeroread.png'
set encoding utf8
set style fill solid
set border lc rgb 0x505050
set tics scale 0.5 nomirror
set bars 0

# The place at part t of the way from low to high, on either kind of axis.
in_log(low, high, t) = low * (high / low) ** t
in_line(low, high, t) = low + (high - low) * t

# Colours: what is filled, and its edge.
first = 0xffffff; first_edge = 0x000000
second = 0x000000; second_edge = 0x000000

$run_1_1 << EOD
# low high calls
256 512 2994141.6
512 1024 5167.6
1024 2048 147.2
2048 4096 139.2
4096 8192 21.6
8192 16384 5.6
16384 32768 226.6
32768 65536 130.2
65536 131072 20.2
131072 262144 0.2
EOD
$spread_1_2 << EOD
# low high least most
256 512 2985811 2997429
512 1024 2068 13330
1024 2048 14 273
2048 4096 103 202
4096 8192 5 35
8192 16384 2 15
16384 32768 198 255
32768 65536 115 147
65536 131072 11 40
131072 262144 0 1
EOD
$run_1_3 << EOD
# low high calls
256 512 5984838.8
512 1024 12815
1024 2048 591.8
2048 4096 723.8
4096 8192 84
8192 16384 23.6
16384 32768 175.8
32768 65536 189.4
65536 131072 36.8
131072 262144 1.4
262144 524288 0.6
1048576 2097152 0.8
2097152 4194304 515
4194304 8388608 3.2
EOD
$spread_1_4 << EOD
# low high least most
256 512 5972014 5993022
512 1024 4578 25236
1024 2048 161 956
2048 4096 334 1065
4096 8192 36 213
8192 16384 9 64
16384 32768 145 271
32768 65536 158 210
65536 131072 24 47
131072 262144 0 3
262144 524288 0 2
1048576 2097152 0 1
2097152 4194304 504 525
4194304 8388608 2 4
EOD


# read
set lmargin at screen 0.1195; set rmargin at screen 0.9560
set tmargin at screen 0.9100; set bmargin at screen 0.2401
set logscale x
set xrange [207.937:1.03276e+07]
set xtics ('1 us' 1000, '10 us' 10000, '100 us' 100000, '1 ms' 1000000, '10 ms' 10000000)
set xlabel 'latency'
unset x2label; unset x2tics
set logscale y
set yrange [0.05:1.19566e+10]
set ytics ('0.1' 0.1, '1' 1, '10' 10, '100' 100, '1000' 1000, '10000' 10000, '100000' 100000, '1 M' 1000000)
unset ylabel
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'read' at graph 0, graph 1.0384 front
set arrow from 267.316, graph 0.938 to 7845.23, graph 0.938 nohead lw 1.5 lc rgb first_edge
set label '100 %' at 362.039, graph 0.958 offset 0.8,0 point pt 11 ps 1 lc rgb first_edge
set arrow from 8554.1, graph 0.938 to 251047, graph 0.938 nohead lw 1.5 lc rgb first_edge
set label '<0.1 %' at 23170.5, graph 0.958 offset 0.8,0 point pt 11 ps 1 lc rgb first_edge
set arrow from 267.316, graph 0.868 to 7845.23, graph 0.868 nohead lw 1.5 lc rgb second_edge
set label '100 %' at 362.039, graph 0.888 offset 0.8,0 point pt 11 ps 1 lc rgb second_edge
set arrow from 8554.1, graph 0.868 to 502095, graph 0.868 nohead lw 1.5 lc rgb second_edge
set label '<0.1 %' at 46341, graph 0.888 offset 0.8,0 point pt 11 ps 1 lc rgb second_edge
set arrow from 1.09492e+06, graph 0.868 to 8.03352e+06, graph 0.868 nohead lw 1.5 lc rgb second_edge
set label '<0.1 %' at 2.96582e+06, graph 0.888 offset 0.8,0 point pt 11 ps 1 lc rgb second_edge
set label 'calls a run' at screen 0.0216563, graph 0.5 center rotate by 90
set label 'Bars: mean of the runs; thin: from the lowest to the highest run. Triangles: peaks, with their extent' at screen 0.0165, screen 0.0771715 left tc rgb 0x606060
set label 'and share of the calls.' at screen 0.0165, screen 0.0342984 left tc rgb 0x606060
set key at graph 1, graph 1.0064 right bottom Left reverse horizontal maxcols 2 samplen 1.5 spacing 1
plot $run_1_1 using 1:3:(in_log($1, $2, 0.040)):(in_log($1, $2, 0.960)):(0.05):3 with boxxyerror fc rgb first fs solid border lc rgb first_edge title 'before: zeroread-1', \
	$spread_1_2 using 1:3:(in_log($1, $2, 0.362)):(in_log($1, $2, 0.638)):($3 > 0.05 ? $3 : 0.05):4 with boxxyerror fc rgb first_edge fs solid border lc rgb first_edge notitle, \
	$run_1_3 using 1:3:(in_log($1, $2, 0.220)):(in_log($1, $2, 0.780)):(0.05):3 with boxxyerror fc rgb second fs solid border lc rgb second_edge title 'after: zeroread-2', \
	$spread_1_4 using 1:3:(in_log($1, $2, 0.416)):(in_log($1, $2, 0.584)):($3 > 0.05 ? $3 : 0.05):4 with boxxyerror fc rgb second_edge fs solid border lc rgb second_edge notitle
