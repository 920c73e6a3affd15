# Drawn by osprof. Edit it, and run gnuplot on it again.
# Which operations carry the change: what the total latency of each gained or saved, and its share of all that moved.
set terminal pngcairo size 800,622 noenhanced font 'sans,11'
set output 'ranking.png'
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
better = 0x0072b2; better_edge = 0x004c78
dim = 0xc8ccd0; dim_edge = 0x7a8188

$slower_1_1 << EOD
# value low high
177454.4 5.62 6.38
EOD
$faster_1_2 << EOD
# value low high
-2946168911 -0.38 0.38
-208037082 0.62 1.38
-126358976 1.62 2.38
-18396919 2.62 3.38
-7008529.4 3.62 4.38
EOD
$unreported_1_3 << EOD
# value low high
-333556.2 4.62 5.38
-8879.8 6.62 7.38
-2664.4 7.62 8.38
-2009.8 8.62 9.38
-1296.4 9.62 10.38
-1117.2 10.62 11.38
610 11.62 12.38
546.4 12.62 13.38
478 13.62 14.38
-333.6 14.62 15.38
135.8 15.62 16.38
-75.4 16.62 17.38
74 17.62 18.38
46.8 18.62 19.38
31.6 19.62 20.38
EOD


set lmargin at screen 0.1782; set rmargin at screen 0.9560
set tmargin at screen 0.9350; set bmargin at screen 0.1052
unset logscale x
set xrange [-3.06402e+09:1.00901e+09]
set xtics ('-2.50 s' -2.5e+09, '-2 s' -2e+09, '-1.50 s' -1.5e+09, '-1 s' -1e+09, '-500 ms' -5e+08, '0' 0)
set xlabel 'total latency of a run, after minus before'
unset x2label; unset x2tics
unset logscale y
set yrange [20.5:-0.5]
set ytics ('read' 0, 'getdents64' 1, 'openat' 2, 'newfstatat' 3, 'close' 4, 'lseek' 5, 'fcntl' 6, 'mmap' 7, \
	'brk' 8, 'munmap' 9, 'access' 10, 'mprotect' 11, 'set_robust_list' 12, 'futex' 13, 'fstatfs' 14, 'prlimit64' 15, \
	'sigaltstack' 16, 'getrandom' 17, 'rseq' 18, 'rt_sigaction' 19, 'pread64' 20)
unset ylabel
unset y2label; unset y2tics
unset grid
unset label; unset arrow
set label '-2.95 s, 89 %' at 0, 0 offset 0.5,0
set label '-208 ms, 6.3 %' at 0, 1 offset 0.5,0
set label '-126 ms, 3.8 %' at 0, 2 offset 0.5,0
set label '-18.4 ms, 0.6 %' at 0, 3 offset 0.5,0
set label '-7.01 ms, 0.2 %' at 0, 4 offset 0.5,0
set label '-334 us, <0.1 %' at 0, 5 offset 0.5,0
set label '+177 us, <0.1 %' at 177454, 6 offset 0.5,0
set label '-8.88 us, <0.1 %' at 0, 7 offset 0.5,0
set label '-2.66 us, <0.1 %' at 0, 8 offset 0.5,0
set label '-2.01 us, <0.1 %' at 0, 9 offset 0.5,0
set label '-1.30 us, <0.1 %' at 0, 10 offset 0.5,0
set label '-1.12 us, <0.1 %' at 0, 11 offset 0.5,0
set label '+610 ns, <0.1 %' at 610, 12 offset 0.5,0
set label '+546 ns, <0.1 %' at 546.4, 13 offset 0.5,0
set label '+478 ns, <0.1 %' at 478, 14 offset 0.5,0
set label '-334 ns, <0.1 %' at 0, 15 offset 0.5,0
set label '+136 ns, <0.1 %' at 135.8, 16 offset 0.5,0
set label '-75.4 ns, <0.1 %' at 0, 17 offset 0.5,0
set label '+74 ns, <0.1 %' at 74, 18 offset 0.5,0
set label '+46.8 ns, <0.1 %' at 46.8, 19 offset 0.5,0
set label '+31.6 ns, <0.1 %' at 31.6, 20 offset 0.5,0
set key at graph 1, graph 1.00373 right bottom Left reverse horizontal maxcols 3 samplen 1.5 spacing 1
plot $slower_1_1 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb worse fs solid border lc rgb worse_edge title 'more latency', \
	$faster_1_2 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb better fs solid border lc rgb better_edge title 'less latency', \
	$unreported_1_3 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb dim fs solid border lc rgb dim_edge title 'not reported'
