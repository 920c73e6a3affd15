# Drawn by osprof. Edit it, and run gnuplot on it again.
# The recorded variable that tells most of the peak of a call: calls by its values, in each peak.
set terminal pngcairo size 800,668 noenhanced font 'sans-serif,11'
set output 'values-calls.png'
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
829 -0.4 0
4 2.6 3
1 3.6 4
3 4.6 5
1 6.6 7
2 7.6 8
4 10.6 11
1 11.6 12
EOD
$calls_1_2 << EOD
# value low high
27 0 0.4
1 1 1.4
64 2 2.4
215 3 3.4
10 4 4.4
72 5 5.4
30 6 6.4
123 7 7.4
55 8 8.4
14 9 9.4
58 10 10.4
50 11 11.4
26 12 12.4
57 13 13.4
54 14 14.4
11 15 15.4
EOD


# getdents64: result explains 84 % of the peaks
set lmargin at screen 0.1852; set rmargin at screen 0.9560
set tmargin at screen 0.9020; set bmargin at screen 0.0980
set logscale x
set xrange [0.5:1112.8]
set xtics ('1' 1, '10' 10, '100' 100, '1000' 1000)
set xlabel 'calls'
unset x2label; unset x2tics
unset logscale y
set yrange [15.5:-0.5]
set ytics ('0' 0, '48' 1, '72' 2, '80' 3, '88 to 104' 4, '112' 5, '120 to 136' 6, '144' 7, \
	'152 to 224' 8, '232 to 272' 9, '280' 10, '288 to 576' 11, '584 to 832' 12, '840' 13, '856 to 4296' 14, '5328 to 18984' 15)
unset ylabel
unset y2label; unset y2tics
unset grid
unset label; unset arrow
set label 'getdents64: result explains 84 % of the peaks' at graph 0, graph 1.0215 front
set label 'result' at screen 0.0216562, graph 0.5 center rotate by 90
set key at graph 1, graph 1.05018 right bottom Left reverse horizontal maxcols 2 samplen 1.5 spacing 1
plot $calls_1_1 using 1:2:(0.5):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb first fs solid border lc rgb first_edge title 'peak 1, 4.10-8.19 us', \
	$calls_1_2 using 1:2:(0.5):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb second fs solid border lc rgb second_edge title 'peak 2, 32.8-262 us'
