# Drawn by osprof. Edit it, and run gnuplot on it again.
# What each call site cost in all: the processor's time, time blocked, and the rest.
set terminal pngcairo size 800,454 noenhanced font 'sans-serif,11'
set output 'sites.png'
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
dim = 0xc8ccd0; dim_edge = 0x7a8188

$other_1_1 << EOD
# value low high
97683453 -0.38 0.38
79123829 0.62 1.38
77643553 1.62 2.38
46710461 2.62 3.38
26610643 3.62 4.38
25250868 4.62 5.38
22838000 5.62 6.38
18497123 6.62 7.38
3712193 7.62 8.38
3551000 8.62 9.38
1236583 9.62 10.38
909920 10.62 11.38
507214 11.62 12.38
EOD
$blocked_1_2 << EOD
# value low high
97683453 -0.38 0.38
79123829 0.62 1.38
77643553 1.62 2.38
46710461 2.62 3.38
26610643 3.62 4.38
22838000 5.62 6.38
18497123 6.62 7.38
EOD
$processor_1_3 << EOD
# value low high
225221 -0.38 0.38
183928 0.62 1.38
214092 1.62 2.38
43009 2.62 3.38
54555 3.62 4.38
777978 4.62 5.38
1768276 5.62 6.38
724050 6.62 7.38
16452 7.62 8.38
124439 8.62 9.38
18785 9.62 10.38
70281 10.62 11.38
507214 11.62 12.38
EOD


set lmargin at screen 0.2584; set rmargin at screen 0.9560
set tmargin at screen 0.9110; set bmargin at screen 0.1442
unset logscale x
set xrange [0:1.37148e+08]
set xtics ('0' 0, '20 ms' 20000000, '40 ms' 40000000, '60 ms' 60000000, '80 ms' 80000000)
set xlabel 'time in calls'
unset x2label; unset x2tics
unset logscale y
set yrange [12.5:-0.5]
set ytics ('wait3 dash+0xbcc0' 0, 'read wc+0x7206' 1, 'read gzip+0xccf2' 2, 'fread sort+0x772e' 3, 'waitpid xargs+0x37af' 4, 'fork dash+0xd528' 5, 'read cat+0x5d26' 6, 'readdir find+0x18139' 7, \
	'fclose find+0x26341' 8, 'fork xargs+0x4368' 9, 'fclose xargs+0xafa1' 10, 'write cat+0x5d86' 11, 'stat dash+0x823a' 12)
unset ylabel
unset y2label; unset y2tics
unset grid
unset label; unset arrow
set label '97.7 ms, 6 calls' at 97683453, 0 offset 0.5,0
set label '79.1 ms, 2 calls' at 79123829, 1 offset 0.5,0
set label '77.6 ms, 13 calls' at 77643553, 2 offset 0.5,0
set label '46.7 ms, 1 call' at 46710461, 3 offset 0.5,0
set label '26.6 ms, 1 call' at 26610643, 4 offset 0.5,0
set label '25.3 ms, 5 calls' at 25250868, 5 offset 0.5,0
set label '22.8 ms, 36 calls' at 22838000, 6 offset 0.5,0
set label '18.5 ms, 91 calls' at 18497123, 7 offset 0.5,0
set label '3.71 ms, 2 calls' at 3712193, 8 offset 0.5,0
set label '3.55 ms, 1 call' at 3551000, 9 offset 0.5,0
set label '1.24 ms, 3 calls' at 1236583, 10 offset 0.5,0
set label '910 us, 18 calls' at 909920, 11 offset 0.5,0
set label '507 us, 50 calls' at 507214, 12 offset 0.5,0
set label 'call site' at screen 0.0216562, graph 0.5 center rotate by 90
set key at graph 1, graph 1.00553 right bottom Left reverse horizontal maxcols 3 samplen 1.5 spacing 1
plot $other_1_1 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb dim fs solid border lc rgb dim_edge title 'other', \
	$blocked_1_2 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb second fs solid border lc rgb second_edge title 'blocked', \
	$processor_1_3 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb first fs solid border lc rgb first_edge title 'processor'
