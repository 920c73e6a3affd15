# Drawn by osprof. Edit it, and run gnuplot on it again.
# How many calls of each operation are expected to be preempted, and how many were as slow.
set terminal pngcairo size 800,248 noenhanced font 'sans-serif,11'
set output 'preempt.png'
set encoding utf8
set style fill solid
set border lc rgb 0x505050
set tics scale 0.5 nomirror
set bars 0

# The place at part t of the way from low to high, on either kind of axis.
in_log(low, high, t) = low * (high / low) ** t
in_line(low, high, t) = low + (high - low) * t

# Colours: what is filled, and its edge.
second = 0xe69f00; second_edge = 0x8a5f00
first_pale = 0xbcd9ea; first_pale_edge = 0x0072b2
worse = 0xd55e00; worse_edge = 0x9a4400

$expected_1_1 << EOD
# low high least most
2575.75537877 5151.51075755 -0.25 0.25
EOD
$observed_1_2 << EOD
# x y
2595 0
EOD


set lmargin at screen 0.0590; set rmargin at screen 0.9560
set tmargin at screen 0.8370; set bmargin at screen 0.4347
set logscale x
set xrange [0.5:11042.9]
set xtics ('1' 1, '10' 10, '100' 100, '1000' 1000)
set xlabel 'preempted calls'
unset x2label; unset x2tics
unset logscale y
set yrange [0.5:-0.5]
set ytics ('read' 0)
unset ylabel
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'Calls of half the time slice or longer; the slice is 3.01 ms. Expected: with all calls at the low edge of' at screen 0.0165, screen 0.139718 left tc rgb 0x606060
set label 'their buckets, to all at the high edge.' at screen 0.0165, screen 0.0620968 left tc rgb 0x606060
set key at graph 1, graph 1.01929 right bottom Left reverse horizontal maxcols 2 samplen 1.5 spacing 1
plot $expected_1_1 using 1:3:(in_log($1, $2, 0.040)):(in_log($1, $2, 0.960)):3:4 with boxxyerror fc rgb first_pale_edge fs solid border lc rgb first_pale_edge title 'expected', \
	$observed_1_2 using 1:2 with points pt 6 ps 0.9 lw 1.5 lc rgb second_edge title 'observed'
