# Drawn by osprof. Edit it, and run gnuplot on it again.
# Where the time is: all latency of each operation, and within it what is its own, without the operations that it calls.
set terminal pngcairo size 800,386 noenhanced font 'sans-serif,11'
set output 'own-time.png'
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
first_pale = 0xbcd9ea; first_pale_edge = 0x0072b2

$inclusive_1_1 << EOD
# value low high
3666057496 -0.38 0.38
2960054085 0.62 1.38
3035676291 1.62 2.38
EOD
$own_1_2 << EOD
# value low high
706003411 -0.24 0.24
2960054085 0.76 1.24
3035676291 1.76 2.24
EOD
$inclusive_2_1 << EOD
# value low high
4866057496 -0.38 0.38
2960054085 0.62 1.38
3035676291 1.62 2.38
EOD
$own_2_2 << EOD
# value low high
1906003411 -0.24 0.24
2960054085 0.76 1.24
3035676291 1.76 2.24
EOD

set multiplot

set lmargin at screen 0.1377; set rmargin at screen 0.9560
set tmargin at screen 0.8953; set bmargin at screen 0.6147
unset logscale x
set xrange [0:5.0607e+09]
set xtics ('0' 0, '1 s' 1e+09, '2 s' 2e+09, '3 s' 3e+09, '4 s' 4e+09)
set xlabel 'latency, before: layers.json'
unset x2label; unset x2tics
unset logscale y
set yrange [2.5:-0.5]
set ytics ('syscall/read' 0, 'block/RS' 1, 'syscall/lseek' 2)
unset ylabel
unset y2label; unset y2tics
unset grid
unset label; unset arrow
set key at graph 1, graph 1.01777 right bottom Left reverse horizontal maxcols 2 samplen 1.5 spacing 1
plot $inclusive_1_1 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb first_pale fs solid border lc rgb first_pale_edge title 'with what it calls', \
	$own_1_2 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb first fs solid border lc rgb first_edge title 'its own'

set lmargin at screen 0.1377; set rmargin at screen 0.9560
set tmargin at screen 0.4501; set bmargin at screen 0.1696
unset logscale x
set xrange [0:5.0607e+09]
set xtics ('0' 0, '1 s' 1e+09, '2 s' 2e+09, '3 s' 3e+09, '4 s' 4e+09)
set xlabel 'latency, after: above-block.json'
unset x2label; unset x2tics
unset logscale y
set yrange [2.5:-0.5]
set ytics ('syscall/read' 0, 'block/RS' 1, 'syscall/lseek' 2)
unset ylabel
unset y2label; unset y2tics
unset grid
unset label; unset arrow
unset key
plot $inclusive_2_1 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb first_pale fs solid border lc rgb first_pale_edge title 'with what it calls', \
	$own_2_2 using 1:2:(0):1:(in_line($2, $3, 0.040)):(in_line($2, $3, 0.960)) with boxxyerror fc rgb first fs solid border lc rgb first_edge title 'its own'
unset multiplot
