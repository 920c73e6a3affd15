# Drawn by osprof. Edit it, and run gnuplot on it again.
# Total latency by the latency of calls: calls times the middle of the bucket's edges.
set terminal pngcairo size 800,429 noenhanced font 'sans-serif,11'
set output 'latency.png'
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
# low high latency
128 256 489638.4
256 512 7383782.4
512 1024 578457.6
1024 2048 143462.4
2048 4096 78643.2
4096 8192 396902.4
8192 16384 444825.6
16384 32768 1789132.8
32768 65536 9476505.6
65536 131072 1682413977.6
131072 262144 890005094.4
262144 524288 348546662.4
524288 1048576 89495961.6
1048576 2097152 17930649.6
2097152 4194304 21390950.4
4194304 8388608 17616076.8
8388608 16777216 12582912
16777216 33554432 5033164.8
EOD
$spread_1_2 << EOD
# low high least most
128 256 155328 803328
256 512 6827904 8089344
512 1024 381696 861696
1024 2048 39936 287232
2048 4096 43008 138240
4096 8192 43008 565248
8192 16384 98304 860160
16384 32768 958464 2359296
32768 65536 2850816 25706496
65536 131072 1646002176 1721401344
131072 262144 813760512 924647424
262144 524288 312606720 376307712
524288 1048576 70778880 113246208
1048576 2097152 7864320 23592960
2097152 4194304 0 50331648
4194304 8388608 6291456 37748736
8388608 16777216 0 37748736
16777216 33554432 0 25165824
EOD


# read
set lmargin at screen 0.1184; set rmargin at screen 0.9560
set tmargin at screen 0.9058; set bmargin at screen 0.2064
set logscale x
set xrange [103.968:4.13104e+07]
set xtics ('1 us' 1000, '10 us' 10000, '100 us' 100000, '1 ms' 1000000, '10 ms' 10000000)
set xlabel 'latency'
unset x2label; unset x2tics
unset logscale y
set yrange [0:1864851456]
set ytics ('0' 0, '500 ms' 5e+08, '1 s' 1e+09, '1.50 s' 1.5e+09)
unset ylabel
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'read' at graph 0, graph 1.0385 front
set label 'total latency a run' at screen 0.0216563, graph 0.5 center rotate by 90
set label 'Bars: mean of the runs; thin: from the lowest to the highest run. ' at screen 0.0165, screen 0.0358974 left tc rgb 0x606060
unset key
plot $run_1_1 using 1:3:(in_log($1, $2, 0.040)):(in_log($1, $2, 0.960)):(0):3 with boxxyerror fc rgb first fs solid border lc rgb first_edge title 'grep-cold', \
	$spread_1_2 using 1:3:(in_log($1, $2, 0.362)):(in_log($1, $2, 0.638)):3:4 with boxxyerror fc rgb first_edge fs solid border lc rgb first_edge notitle
