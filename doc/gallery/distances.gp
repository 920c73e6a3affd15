# Drawn by osprof. Edit it, and run gnuplot on it again.
# Every distance between before and after, on a logarithmic scale; intersection is a similarity, the last two have a sign.
set terminal pngcairo size 800,513 noenhanced font 'sans,11'
set output 'distances.png'
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
dim = 0xc8ccd0; dim_edge = 0x7a8188

$distance_1_1 << EOD
# value low high
7.64316 -0.38 0.38
372494.507469 0.62 1.38
0.855187584895 1.62 2.38
4.62369971628 2.62 3.38
1.16352906506 3.62 4.38
0.581764532531 4.62 5.38
1.80296666667 5.62 6.38
0.946290903252 6.62 7.38
0.0985166666667 7.62 8.38
0.901483333333 8.62 9.38
0.333333333333 9.62 10.38
0.996408020091 10.62 11.38
EOD


set lmargin at screen 0.2002; set rmargin at screen 0.9560
set tmargin at screen 0.9700; set bmargin at screen 0.1276
set logscale x
set xrange [0.001:4.5459e+07]
set xtics ('0.001' 0.001, '0.01' 0.01, '0.1' 0.1, '1' 1, '10' 10, '100' 100, '1000' 1000, '10000' 10000, \
	'100000' 100000)
set xlabel 'lseek'
unset x2label; unset x2tics
unset logscale y
set yrange [11.5:-0.5]
set ytics ('emd' 0, 'chi_square' 1, 'chi_square_effect' 2, 'kl' 3, 'jeffrey' 4, 'jensen_shannon' 5, 'minkowski_l1' 6, 'minkowski_l2' 7, \
	'intersection' 8, 'ks' 9, 'total_operations' 10, 'total_latency' 11)
unset ylabel
unset y2label; unset y2tics
unset grid
unset label; unset arrow
set label '7.64' at 7.64316, 0 offset 0.5,0
set label '3.72e+05' at 372495, 1 offset 0.5,0
set label '0.855' at 0.855188, 2 offset 0.5,0
set label '4.62' at 4.6237, 3 offset 0.5,0
set label '1.16' at 1.16353, 4 offset 0.5,0
set label '0.582' at 0.581765, 5 offset 0.5,0
set label '1.8' at 1.80297, 6 offset 0.5,0
set label '0.946' at 0.946291, 7 offset 0.5,0
set label '0.0985' at 0.0985167, 8 offset 0.5,0
set label '0.901' at 0.901483, 9 offset 0.5,0
set label '0.333' at 0.333333, 10 offset 0.5,0
set label '0.996' at 0.996408, 11 offset 0.5,0
unset key
plot $distance_1_1 using 1:2:(0.001):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb first fs solid border lc rgb first_edge notitle
