# Drawn by osprof. Edit it, and run gnuplot on it again.
# The mix of operations: calls and total latency of each, every run with scales of its own.
set terminal pngcairo size 800,1068 noenhanced font 'sans,11'
set output 'mix.png'
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

$calls_1_1 << EOD
# value low high
45681 0.02 0.38
4026 1.02 1.38
24817 2.02 2.38
28796 3.02 3.38
26785 4.02 4.38
6039 5.02 5.38
472 6.02 6.38
1 7.02 7.38
EOD
$latency_1_2 << EOD
# value low high
3005668460.8 -0.38 -0.02
217204237 0.62 0.98
154448433.6 1.62 1.98
30330043.6 2.62 2.98
16604832.6 3.62 3.98
1465853 4.62 4.98
607990.6 5.62 5.98
907 6.62 6.98
EOD
$calls_2_1 << EOD
# value low high
30000 0.02 0.38
1 2.02 2.38
1 3.02 3.38
30000 6.02 6.38
1 7.02 7.38
1 8.02 8.38
EOD
$latency_2_2 << EOD
# value low high
2628601240.2 -0.38 -0.02
7162.2 1.62 1.98
3172.8 2.62 2.98
7828536 5.62 5.98
1040.4 6.62 6.98
88589.6 7.62 7.98
EOD
$calls_3_1 << EOD
# value low high
10001 7.02 7.38
10001 8.02 8.38
10000 9.02 9.38
EOD
$latency_3_2 << EOD
# value low high
5865228.2 6.62 6.98
389611554 7.62 7.98
779050792.4 8.62 8.98
EOD

set multiplot

set lmargin at screen 0.1782; set rmargin at screen 0.9560
set tmargin at screen 0.9153; set bmargin at screen 0.7015
unset logscale x
set xrange [0:47508.2]
set xtics ('0' 0, '10000' 10000, '20000' 20000, '30000' 30000, '40000' 40000)
set xlabel 'calls, grep-cold'
unset logscale x2
set x2range [0:3.1259e+09]
set x2tics ('0' 0, '1 s' 1e+09, '2 s' 2e+09, '3 s' 3e+09)
set x2label 'total latency'
unset logscale y
set yrange [9.5:-0.5]
set ytics ('read' 0, 'getdents64' 1, 'openat' 2, 'newfstatat' 3, 'close' 4, 'fcntl' 5, 'lseek' 6, 'set_robust_list' 7, \
	'clone' 8, 'wait4' 9)
unset ylabel
unset y2label; unset y2tics
unset grid
unset label; unset arrow
set key at graph 1, graph 1.22765 right bottom Left reverse horizontal maxcols 2 samplen 1.5 spacing 1
plot $calls_1_1 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb first fs solid border lc rgb first_edge title 'calls (below)', \
	$latency_1_2 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb second fs solid border lc rgb second_edge axes x2y1 title 'latency (above)'

set lmargin at screen 0.1782; set rmargin at screen 0.9560
set tmargin at screen 0.5952; set bmargin at screen 0.3814
unset logscale x
set xrange [0:31200]
set xtics ('0' 0, '5000' 5000, '10000' 10000, '15000' 15000, '20000' 20000, '25000' 25000, '30000' 30000)
set xlabel 'calls, randread-1'
unset logscale x2
set x2range [0:2.73375e+09]
set x2tics ('0' 0, '500 ms' 5e+08, '1 s' 1e+09, '1.50 s' 1.5e+09, '2 s' 2e+09, '2.50 s' 2.5e+09)
set x2label 'total latency'
unset logscale y
set yrange [9.5:-0.5]
set ytics ('read' 0, 'getdents64' 1, 'openat' 2, 'newfstatat' 3, 'close' 4, 'fcntl' 5, 'lseek' 6, 'set_robust_list' 7, \
	'clone' 8, 'wait4' 9)
unset ylabel
unset y2label; unset y2tics
unset grid
unset label; unset arrow
unset key
plot $calls_2_1 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb first fs solid border lc rgb first_edge title 'calls (below)', \
	$latency_2_2 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb second fs solid border lc rgb second_edge axes x2y1 title 'latency (above)'

set lmargin at screen 0.1782; set rmargin at screen 0.9560
set tmargin at screen 0.2751; set bmargin at screen 0.0613
unset logscale x
set xrange [0:10401]
set xtics ('0' 0, '2000' 2000, '4000' 4000, '6000' 6000, '8000' 8000, '10000' 10000)
set xlabel 'calls, clone-1'
unset logscale x2
set x2range [0:8.10213e+08]
set x2tics ('0' 0, '200 ms' 200000000, '400 ms' 400000000, '600 ms' 600000000)
set x2label 'total latency'
unset logscale y
set yrange [9.5:-0.5]
set ytics ('read' 0, 'getdents64' 1, 'openat' 2, 'newfstatat' 3, 'close' 4, 'fcntl' 5, 'lseek' 6, 'set_robust_list' 7, \
	'clone' 8, 'wait4' 9)
unset ylabel
unset y2label; unset y2tics
unset grid
unset label; unset arrow
unset key
plot $calls_3_1 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb first fs solid border lc rgb first_edge title 'calls (below)', \
	$latency_3_2 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb second fs solid border lc rgb second_edge axes x2y1 title 'latency (above)'
unset multiplot
