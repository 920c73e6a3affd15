# Drawn by osprof. Edit it, and run gnuplot on it again.
# Calls by latency, both on logarithmic scales. Above, the peaks and their shares of the calls.
set terminal pngcairo size 800,548 noenhanced font 'sans-serif,11'
set output 'layers.png'
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

$run_1_1 << EOD
# low high calls
32768 65536 3528
65536 131072 35003
131072 262144 523
262144 524288 933
524288 1048576 11
1048576 2097152 1
4194304 8388608 1
EOD
$run_2_1 << EOD
# low high calls
16384 32768 4
32768 65536 19342
65536 131072 19578
131072 262144 181
262144 524288 878
524288 1048576 11
4194304 8388608 1
EOD

set multiplot

# syscall/read
set lmargin at screen 0.1078; set rmargin at screen 0.9560
set tmargin at screen 0.9262; set bmargin at screen 0.5790
set logscale x
set xrange [13307.9:1.03276e+07]
set xtics ('' 100000, '' 1000000, '' 10000000)
unset xlabel
unset x2label; unset x2tics
set logscale y
set yrange [0.5:400530]
set ytics ('1' 1, '10' 10, '100' 100, '1000' 1000, '10000' 10000)
unset ylabel
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'syscall/read' at graph 0, graph 1.06071 front
set arrow from 33651.9, graph 0.914 to 255259, graph 0.914 nohead lw 1.5 lc rgb first_edge
set label '98 %' at 92681.9, graph 0.934 offset 0.8,0 point pt 11 ps 1 lc rgb first_edge
set arrow from 269215, graph 0.914 to 8.16827e+06, graph 0.914 nohead lw 1.5 lc rgb first_edge
set label '2.4 %' at 370728, graph 0.934 offset 0.8,0 point pt 11 ps 1 lc rgb first_edge
set label 'calls' at screen 0.0216563, graph 0.5 center rotate by 90
set label 'Triangles: peaks, with their extent and share of the calls.' at screen 0.0165, screen 0.0281022 left tc rgb 0x606060
unset key
plot $run_1_1 using 1:3:(in_log($1, $2, 0.040)):(in_log($1, $2, 0.960)):(0.5):3 with boxxyerror fc rgb first fs solid border lc rgb first_edge notitle

# block/RS
set lmargin at screen 0.1078; set rmargin at screen 0.9560
set tmargin at screen 0.5088; set bmargin at screen 0.1616
set logscale x
set xrange [13307.9:1.03276e+07]
set xtics ('100 us' 100000, '1 ms' 1000000, '10 ms' 10000000)
set xlabel 'latency'
unset x2label; unset x2tics
set logscale y
set yrange [0.5:400530]
set ytics ('1' 1, '10' 10, '100' 100, '1000' 1000, '10000' 10000)
unset ylabel
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'block/RS' at graph 0, graph 1.06071 front
set arrow from 16825.9, graph 0.914 to 255259, graph 0.914 nohead lw 1.5 lc rgb first_edge
set label '98 %' at 92681.9, graph 0.934 offset 0.8,0 point pt 11 ps 1 lc rgb first_edge
set arrow from 269215, graph 0.914 to 8.16827e+06, graph 0.914 nohead lw 1.5 lc rgb first_edge
set label '2.2 %' at 370728, graph 0.934 offset 0.8,0 point pt 11 ps 1 lc rgb first_edge
set label 'calls' at screen 0.0216563, graph 0.5 center rotate by 90
unset key
plot $run_2_1 using 1:3:(in_log($1, $2, 0.040)):(in_log($1, $2, 0.960)):(0.5):3 with boxxyerror fc rgb first fs solid border lc rgb first_edge notitle
unset multiplot
