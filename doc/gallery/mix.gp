# Drawn by osprof. Edit it, and run gnuplot on it again.
# The mix of operations: their shares of the calls and of the latency of each run.
set terminal pngcairo size 1200,477 noenhanced font 'sans-serif,11'
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
third = 0x009e73; third_edge = 0x00664a

$calls_1_1 << EOD
# value low high
33.4243067242 -0.4 -0.133333333333
2.9457818102 0.6 0.866666666667
18.1583376015 1.6 1.86666666667
21.0697300066 2.6 2.86666666667
19.5983024804 3.6 3.86666666667
4.4186727153 4.6 4.86666666667
0.345357430307 5.6 5.86666666667
0.000731689470989 6.6 6.86666666667
EOD
$calls_1_2 << EOD
# value low high
49.9966668889 -0.133333333333 0.133333333333
0.00166655556296 1.86666666667 2.13333333333
0.00166655556296 2.86666666667 3.13333333333
49.9966668889 5.86666666667 6.13333333333
0.00166655556296 6.86666666667 7.13333333333
0.00166655556296 7.86666666667 8.13333333333
EOD
$calls_1_3 << EOD
# value low high
33.3344443704 7.13333333333 7.4
33.3344443704 8.13333333333 8.4
33.3311112592 9.13333333333 9.4
EOD
$latency_2_1 << EOD
# value low high
87.7178535516 -0.4 -0.133333333333
6.33891917902 0.6 0.866666666667
4.50744493496 1.6 1.86666666667
0.885156283008 2.6 2.86666666667
0.484597783572 3.6 3.86666666667
0.0427796613163 4.6 4.86666666667
0.0177436836787 5.6 5.86666666667
0.0000264700163072 6.6 6.86666666667
EOD
$latency_2_2 << EOD
# value low high
99.699282702 -0.133333333333 0.133333333333
0.000271652539627 1.86666666667 2.13333333333
0.000120340004151 2.86666666667 3.13333333333
0.296925761074 5.86666666667 6.13333333333
0.0000394609620268 6.86666666667 7.13333333333
0.0033600834694 7.86666666667 8.13333333333
EOD
$latency_2_3 << EOD
# value low high
1.4830777593 7.13333333333 7.4
98.5169222407 8.13333333333 8.4
EOD

set multiplot

set lmargin at screen 0.1028; set rmargin at screen 0.5312
set tmargin at screen 0.9153; set bmargin at screen 0.1856
unset logscale x
set xrange [0:51.9965]
set xtics ('0 %%' 0, '10 %%' 10, '20 %%' 20, '30 %%' 30, '40 %%' 40)
set xlabel 'share of the calls'
unset x2label; unset x2tics
unset logscale y
set yrange [9.5:-0.5]
set ytics ('read' 0, 'getdents64' 1, 'openat' 2, 'newfstatat' 3, 'close' 4, 'fcntl' 5, 'lseek' 6, 'set_robust_list' 7, \
	'clone' 8, 'wait4' 9)
unset ylabel
unset y2label; unset y2tics
unset grid
unset label; unset arrow
set label 'Shares of each run; operations that wait by design have no share of the latency, nested calls count once.' at screen 0.011, screen 0.0322851 left tc rgb 0x606060
set key at graph 1, graph 1.00553 right bottom Left reverse horizontal maxcols 3 samplen 1.5 spacing 1
plot $calls_1_1 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb first fs solid border lc rgb first_edge title 'grep-cold', \
	$calls_1_2 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb second fs solid border lc rgb second_edge title 'randread-1', \
	$calls_1_3 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb third fs solid border lc rgb third_edge title 'clone-1'

set lmargin at screen 0.5422; set rmargin at screen 0.9707
set tmargin at screen 0.9153; set bmargin at screen 0.1856
unset logscale x
set xrange [0:103.687]
set xtics ('0 %%' 0, '20 %%' 20, '40 %%' 40, '60 %%' 60, '80 %%' 80)
set xlabel 'share of the latency'
unset x2label; unset x2tics
unset logscale y
set yrange [9.5:-0.5]
set ytics ('' 0, '' 1, '' 2, '' 3, '' 4, '' 5, '' 6, '' 7, \
	'' 8, '' 9)
unset ylabel
unset y2label; unset y2tics
unset grid
unset label; unset arrow
unset key
plot $latency_2_1 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb first fs solid border lc rgb first_edge title 'grep-cold', \
	$latency_2_2 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb second fs solid border lc rgb second_edge title 'randread-1', \
	$latency_2_3 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb third fs solid border lc rgb third_edge title 'clone-1'
unset multiplot
