# Drawn by osprof. Edit it, and run gnuplot on it again.
# The change of the mean latency, of p99 and of the number of calls of each operation, with 90 % intervals.
set terminal pngcairo size 1200,600 noenhanced font 'sans-serif,11'
set output 'forest.png'
set encoding utf8
set style fill solid
set border lc rgb 0x505050
set tics scale 0.5 nomirror
set bars 0

# The place at part t of the way from low to high, on either kind of axis.
in_log(low, high, t) = low * (high / low) ** t
in_line(low, high, t) = low + (high - low) * t

# Colours: what is filled, and its edge.
worse = 0xd55e00; worse_edge = 0x9a4400
dim = 0xc8ccd0; dim_edge = 0x7a8188

$reported_1_1 << EOD
# x low high y
-5.60631424221 -5.69401479048 -5.51861369394 0
-4.48379931899 -4.57335979326 -4.39423884472 1
-2.31913774368 -2.40120487123 -2.23707061613 2
-1.28691970157 -1.32708926637 -1.24675013676 3
-0.565049101108 -0.685624708009 -0.444473494207 4
-0.0270610527436 -0.496386821828 0.44226471634 5
EOD
$others_1_2 << EOD
# x low high y
-1.17660612681 -1.4143035378 -0.938908715812 6
-0.172604627376 -0.318792526616 -0.0264167281362 7
-0.150197321943 -0.495959508956 0.195564865071 8
-0.0539783474127 -0.125567699571 0.0176110047454 9
-0.4 -0.925959610912 0.125959610912 10
-0.0536550743349 -0.361468039697 0.254157891027 11
0.8 0.373630642735 1.22636935727 12
0 0 0 13
-0.2 -0.626369357265 0.226369357265 14
0.2 -0.444166336024 0.844166336024 15
0.2 -0.391104596048 0.791104596048 16
0.2 -0.226369357265 0.626369357265 17
0 -0.446012123026 0.446012123026 18
-0.152577716771 -0.60352466496 0.298369231418 19
0 0 0 20
EOD
$reported_2_1 << EOD
# x low high y
-4.62152260398 -4.71762810186 -4.52541710611 0
-3.65015397162 -3.96825684943 -3.33205109381 1
-4.84021311915 -4.91080186656 -4.76962437175 2
-2.43231253185 -2.51747814331 -2.3471469204 3
-1.34402886167 -1.56160363062 -1.12645409273 4
-1.4972722457 -1.67323833113 -1.32130616026 5
EOD
$others_2_2 << EOD
# x low high y
-1.35390626388 -1.60443915339 -1.10337337437 6
0 0 0 7
0.2 -0.444166336024 0.844166336024 8
0 0 0 9
-0.4 -0.925959610912 0.125959610912 10
0 -0.525959610912 0.525959610912 11
0.8 0.373630642735 1.22636935727 12
0 0 0 13
-0.2 -0.626369357265 0.226369357265 14
0.2 -0.444166336024 0.844166336024 15
0.2 -0.391104596048 0.791104596048 16
0.2 -0.226369357265 0.626369357265 17
0 -0.525959610912 0.525959610912 18
-0.2 -0.791104596048 0.391104596048 19
0 0 0 20
EOD
$reported_3_1 << EOD
# x low high y
0 -2.33572988023e-15 2.33572988023e-15 0
0 0 0 1
0 0 0 2
0 -2.33572988023e-15 2.33572988023e-15 3
0 0 0 4
0 0 0 5
EOD
$others_3_2 << EOD
# x low high y
0 0 0 6
0 0 0 7
0 0 0 8
0 0 0 9
0 0 0 10
0 0 0 11
0 0 0 12
0 0 0 13
0 0 0 14
0 0 0 15
0 0 0 16
0 0 0 17
0 0 0 18
0 0 0 19
0 0 0 20
EOD

set multiplot

set lmargin at screen 0.1028; set rmargin at screen 0.3848
set tmargin at screen 0.9326; set bmargin at screen 0.1476
unset logscale x
set xrange [-6.10924:1.64159]
set xtics ('1/64' -6, '1/32' -5, '1/16' -4, '1/8' -3, '1/4' -2, '1/2' -1, 'same' 0, '2x' 1)
set xlabel 'change of the mean latency'
unset x2label; unset x2tics
unset logscale y
set yrange [20.5:-0.5]
set ytics ('read' 0, 'getdents64' 1, 'openat' 2, 'newfstatat' 3, 'close' 4, 'fcntl' 5, 'lseek' 6, 'mmap' 7, \
	'brk' 8, 'munmap' 9, 'access' 10, 'mprotect' 11, 'set_robust_list' 12, 'fstatfs' 13, 'prlimit64' 14, 'sigaltstack' 15, \
	'getrandom' 16, 'rseq' 17, 'rt_sigaction' 18, 'pread64' 19, 'futex' 20)
unset ylabel
unset y2label; unset y2tics
unset grid
unset label; unset arrow
set arrow from 0, graph 0 to 0, graph 1 nohead lw 1.5 dt 2 lc rgb dim_edge
set label 'Lines: 90 % intervals, by the variation between runs.' at screen 0.011, screen 0.0256667 left tc rgb 0x606060
set key at graph 1, graph 1.00409 right bottom Left reverse horizontal maxcols 2 samplen 1.5 spacing 1
plot $reported_1_1 using 1:4:2:3 with xerrorbars pt 7 ps 1 lw 2 lc rgb worse title 'reported', \
	$others_1_2 using 1:4:2:3 with xerrorbars pt 7 ps 1 lw 2 lc rgb dim title 'not reported'

set lmargin at screen 0.3958; set rmargin at screen 0.6777
set tmargin at screen 0.9326; set bmargin at screen 0.1476
unset logscale x
set xrange [-5.27903:1.5946]
set xtics ('1/32' -5, '1/16' -4, '1/8' -3, '1/4' -2, '1/2' -1, 'same' 0, '2x' 1)
set xlabel 'change of p99'
unset x2label; unset x2tics
unset logscale y
set yrange [20.5:-0.5]
set ytics ('' 0, '' 1, '' 2, '' 3, '' 4, '' 5, '' 6, '' 7, \
	'' 8, '' 9, '' 10, '' 11, '' 12, '' 13, '' 14, '' 15, \
	'' 16, '' 17, '' 18, '' 19, '' 20)
unset ylabel
unset y2label; unset y2tics
unset grid
unset label; unset arrow
set arrow from 0, graph 0 to 0, graph 1 nohead lw 1.5 dt 2 lc rgb dim_edge
unset key
plot $reported_2_1 using 1:4:2:3 with xerrorbars pt 7 ps 1 lw 2 lc rgb worse title 'reported', \
	$others_2_2 using 1:4:2:3 with xerrorbars pt 7 ps 1 lw 2 lc rgb dim title 'not reported'

set lmargin at screen 0.6887; set rmargin at screen 0.9707
set tmargin at screen 0.9326; set bmargin at screen 0.1476
unset logscale x
set xrange [-0.1:0.1]
set xtics ('−5 %%' -0.0740006, '−2 %%' -0.0291463, '' 0, '+2 %%' 0.0285692, '+5 %%' 0.0703893)
set xlabel 'change of the number of calls'
unset x2label; unset x2tics
unset logscale y
set yrange [20.5:-0.5]
set ytics ('' 0, '' 1, '' 2, '' 3, '' 4, '' 5, '' 6, '' 7, \
	'' 8, '' 9, '' 10, '' 11, '' 12, '' 13, '' 14, '' 15, \
	'' 16, '' 17, '' 18, '' 19, '' 20)
unset ylabel
unset y2label; unset y2tics
unset grid
unset label; unset arrow
set arrow from 0, graph 0 to 0, graph 1 nohead lw 1.5 dt 2 lc rgb dim_edge
unset key
plot $reported_3_1 using 1:4:2:3 with xerrorbars pt 7 ps 1 lw 2 lc rgb worse title 'reported', \
	$others_3_2 using 1:4:2:3 with xerrorbars pt 7 ps 1 lw 2 lc rgb dim title 'not reported'
unset multiplot
