# Drawn by osprof. Edit it, and run gnuplot on it again.
# Calls by latency, both on logarithmic scales. Above, each peak's extent and its share of the calls.
set terminal pngcairo size 800,567 noenhanced font 'sans-serif,11'
set output 'randread.png'
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

$run_1_1 << EOD
# low high calls
128 256 22119
256 512 7528.6
512 1024 309.6
1024 2048 18.6
2048 4096 13.8
4096 8192 7.2
8192 16384 0.8
16384 32768 1.2
32768 65536 1.2
EOD
$spread_1_2 << EOD
# low high least most
128 256 16243 26170
256 512 3682 13049
512 1024 123 661
1024 2048 8 33
2048 4096 9 18
4096 8192 5 11
8192 16384 0 2
16384 32768 0 4
32768 65536 0 2
EOD
$run_1_3 << EOD
# low high calls
128 256 119.8
256 512 5647.4
512 1024 104.2
1024 2048 13.2
2048 4096 15.6
4096 8192 4.4
8192 16384 1.8
16384 32768 172.6
32768 65536 23544.4
65536 131072 24602.6
131072 262144 5366.2
262144 524288 332.8
524288 1048576 61.4
1048576 2097152 6.4
2097152 4194304 4.2
4194304 8388608 2.6
16777216 33554432 0.4
EOD
$spread_1_4 << EOD
# low high least most
128 256 58 207
256 512 5147 6245
512 1024 88 139
1024 2048 3 26
2048 4096 11 18
4096 8192 2 7
8192 16384 0 5
16384 32768 9 341
32768 65536 2435 39042
65536 131072 11859 43573
131072 262144 2682 7849
262144 524288 61 613
524288 1048576 18 97
1048576 2097152 1 13
2097152 4194304 0 11
4194304 8388608 0 6
16777216 33554432 0 2
EOD
$run_2_1 << EOD
# low high calls
16384 32768 0.2
32768 65536 5183.6
65536 131072 24258
131072 262144 270.8
262144 524288 240.2
524288 1048576 30.8
1048576 2097152 13.6
2097152 4194304 2
4194304 8388608 0.6
8388608 16777216 0.2
EOD
$spread_2_2 << EOD
# low high least most
16384 32768 0 1
32768 65536 2143 8460
65536 131072 21015 26924
131072 262144 165 368
262144 524288 23 448
524288 1048576 3 94
1048576 2097152 0 39
2097152 4194304 0 8
4194304 8388608 0 3
8388608 16777216 0 1
EOD
$run_2_3 << EOD
# low high calls
16384 32768 0.2
32768 65536 5040.6
65536 131072 53832.8
131072 262144 673.2
262144 524288 400.2
524288 1048576 32.2
1048576 2097152 12
2097152 4194304 5.8
4194304 8388608 2.4
8388608 16777216 0.2
16777216 33554432 0.4
EOD
$spread_2_4 << EOD
# low high least most
16384 32768 0 1
32768 65536 17 9840
65536 131072 49765 58145
131072 262144 324 1196
262144 524288 66 746
524288 1048576 5 62
1048576 2097152 0 28
2097152 4194304 0 12
4194304 8388608 0 5
8388608 16777216 0 1
16777216 33554432 0 2
EOD

set multiplot

# lseek
set lmargin at screen 0.1078; set rmargin at screen 0.9560
set tmargin at screen 0.9287; set bmargin at screen 0.5934
set logscale x
set xrange [103.968:4.13104e+07]
set xtics ('' 1000, '' 10000, '' 100000, '' 1000000, '' 10000000)
unset xlabel
unset x2label; unset x2tics
set logscale y
set yrange [0.05:1.91245e+07]
set ytics ('0.1' 0.1, '1' 1, '10' 10, '100' 100, '1000' 1000, '10000' 10000)
unset ylabel
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'lseek' at graph 0, graph 1.06075 front
set arrow from 134.774, graph 0.914 to 62242, graph 0.914 nohead lw 1.5 lc rgb first_edge
set label '100 %' at 181.019, graph 0.934 offset 0.8,0 point pt 11 ps 1 lc rgb first_edge
set arrow from 134.774, graph 0.803 to 7780.25, graph 0.803 nohead lw 1.5 lc rgb second_edge
set label '9.8 %' at 362.039, graph 0.823 offset 0.8,0 point pt 11 ps 1 lc rgb second_edge
set arrow from 8625.55, graph 0.803 to 3.18679e+07, graph 0.803 nohead lw 1.5 lc rgb second_edge
set label '90 %' at 92681.9, graph 0.823 offset 0.8,0 point pt 11 ps 1 lc rgb second_edge
set label 'calls a run' at screen 0.0216563, graph 0.5 center rotate by 90
set label 'Bars: mean of the runs; thin: from the lowest to the highest run. Triangles: peaks, with their extent' at screen 0.0165, screen 0.0611111 left tc rgb 0x606060
set label 'and share of the calls.' at screen 0.0165, screen 0.0271605 left tc rgb 0x606060
set key at graph 1, graph 1.01012 right bottom Left reverse horizontal maxcols 2 samplen 1.5 spacing 1
plot $run_1_1 using 1:3:(in_log($1, $2, 0.040)):(in_log($1, $2, 0.960)):(0.05):3 with boxxyerror fc rgb first fs solid border lc rgb first_edge title 'before: randread-1', \
	$spread_1_2 using 1:3:(in_log($1, $2, 0.362)):(in_log($1, $2, 0.638)):($3 > 0.05 ? $3 : 0.05):4 with boxxyerror fc rgb first_edge fs solid border lc rgb first_edge notitle, \
	$run_1_3 using 1:3:(in_log($1, $2, 0.220)):(in_log($1, $2, 0.780)):(0.05):3 with boxxyerror fc rgb second fs solid border lc rgb second_edge title 'after: randread-2', \
	$spread_1_4 using 1:3:(in_log($1, $2, 0.416)):(in_log($1, $2, 0.584)):($3 > 0.05 ? $3 : 0.05):4 with boxxyerror fc rgb second_edge fs solid border lc rgb second_edge notitle

# read
set lmargin at screen 0.1078; set rmargin at screen 0.9560
set tmargin at screen 0.5255; set bmargin at screen 0.1901
set logscale x
set xrange [103.968:4.13104e+07]
set xtics ('1 us' 1000, '10 us' 10000, '100 us' 100000, '1 ms' 1000000, '10 ms' 10000000)
set xlabel 'latency'
unset x2label; unset x2tics
set logscale y
set yrange [0.05:1.91245e+07]
set ytics ('0.1' 0.1, '1' 1, '10' 10, '100' 100, '1000' 1000, '10000' 10000)
unset ylabel
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'read' at graph 0, graph 1.06075 front
set arrow from 17251.1, graph 0.914 to 1.59339e+07, graph 0.914 nohead lw 1.5 lc rgb first_edge
set label '100 %' at 92681.9, graph 0.934 offset 0.8,0 point pt 11 ps 1 lc rgb first_edge
set arrow from 17251.1, graph 0.803 to 3.18679e+07, graph 0.803 nohead lw 1.5 lc rgb second_edge
set label '100 %' at 92681.9, graph 0.823 offset 0.8,0 point pt 11 ps 1 lc rgb second_edge
set label 'calls a run' at screen 0.0216563, graph 0.5 center rotate by 90
unset key
plot $run_2_1 using 1:3:(in_log($1, $2, 0.040)):(in_log($1, $2, 0.960)):(0.05):3 with boxxyerror fc rgb first fs solid border lc rgb first_edge title 'before: randread-1', \
	$spread_2_2 using 1:3:(in_log($1, $2, 0.362)):(in_log($1, $2, 0.638)):($3 > 0.05 ? $3 : 0.05):4 with boxxyerror fc rgb first_edge fs solid border lc rgb first_edge notitle, \
	$run_2_3 using 1:3:(in_log($1, $2, 0.220)):(in_log($1, $2, 0.780)):(0.05):3 with boxxyerror fc rgb second fs solid border lc rgb second_edge title 'after: randread-2', \
	$spread_2_4 using 1:3:(in_log($1, $2, 0.416)):(in_log($1, $2, 0.584)):($3 > 0.05 ? $3 : 0.05):4 with boxxyerror fc rgb second_edge fs solid border lc rgb second_edge notitle
unset multiplot
