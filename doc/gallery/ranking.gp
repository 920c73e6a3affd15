# Drawn by osprof. Edit it, and run gnuplot on it again.
# Which operations carry the change: what the total latency of each gained or saved, and its share of all that moved.
set terminal pngcairo size 800,300 noenhanced font 'sans-serif,11'
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
546.4 4.62 5.38
-171102.2 5.62 6.38
EOD


set lmargin at screen 0.1921; set rmargin at screen 0.9560
set tmargin at screen 0.8652; set bmargin at screen 0.2952
unset logscale x
set xrange [-3.06402e+09:1.54969e+09]
set xtics ('-2.50 s' -2.5e+09, '-2 s' -2e+09, '-1.50 s' -1.5e+09, '-1 s' -1e+09, '-500 ms' -5e+08, '0' 0)
set xlabel 'change of the total latency of a run'
unset x2label; unset x2tics
unset logscale y
set yrange [6.5:-0.5]
set ytics ('read' 0, 'getdents64' 1, 'openat' 2, 'newfstatat' 3, 'close' 4, 'futex' 5, 'all others together' 6)
unset ylabel
unset y2label; unset y2tics
unset grid
unset label; unset arrow
set label '−2.95 s, 89 %' at 0, 0 offset 0.5,0
set label '−208 ms, 6.3 %' at 0, 1 offset 0.5,0
set label '−126 ms, 3.8 %' at 0, 2 offset 0.5,0
set label '−18.4 ms, 0.6 %' at 0, 3 offset 0.5,0
set label '−7.01 ms, 0.2 %' at 0, 4 offset 0.5,0
set label '+546 ns, waits by design' at 546.4, 5 offset 0.5,0
set label '−171 us, <0.1 %' at 0, 6 offset 0.5,0
set label 'Beside each bar its share of all changes, without operations that wait by design.' at screen 0.0165, screen 0.0513333 left tc rgb 0x606060
set key at graph 1, graph 1.01126 right bottom Left reverse horizontal maxcols 2 samplen 1.5 spacing 1
plot $faster_1_2 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb better fs solid border lc rgb better_edge title 'less latency', \
	$unreported_1_3 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb dim fs solid border lc rgb dim_edge title 'not reported'
