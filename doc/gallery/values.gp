# Drawn by osprof. Edit it, and run gnuplot on it again.
# Calls by the value that was recorded with each.
set terminal pngcairo size 800,429 noenhanced font 'sans-serif,11'
set output 'values.png'
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

$run_1_1 << EOD
# low high calls
1024 2048 2009
EOD
$run_1_2 << EOD
# low high calls
0.5 1 2013
1024 2048 4
EOD


#  
set lmargin at screen 0.0961; set rmargin at screen 0.9560
set tmargin at screen 0.9058; set bmargin at screen 0.2064
set logscale x
set xrange [0.406126:2521.38]
set xtics ('0' 0.707107, '10' 10, '100' 100, '1 k' 1000)
set xlabel 'value'
unset x2label; unset x2tics
set logscale y
set yrange [0.5:73112.9]
set ytics ('1' 1, '10' 10, '100' 100, '1000' 1000)
unset ylabel
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label ' ' at graph 0, graph 1.0385 front
set arrow from 1060.41, graph 0.938 to 1977.69, graph 0.938 nohead lw 1.5 lc rgb first_edge
set label '100 %' at 1448.15, graph 0.958 right offset -0.8,0 point pt 11 ps 1 lc rgb first_edge
set arrow from 0.517776, graph 0.868 to 0.965669, graph 0.868 nohead lw 1.5 lc rgb second_edge
set label '100 %' at 0.707107, graph 0.888 offset 0.8,0 point pt 11 ps 1 lc rgb second_edge
set arrow from 1060.41, graph 0.868 to 1977.69, graph 0.868 nohead lw 1.5 lc rgb second_edge
set label '0.2 %' at 1448.15, graph 0.888 right offset -0.8,0 point pt 11 ps 1 lc rgb second_edge
set label 'calls' at screen 0.0216563, graph 0.5 center rotate by 90
set label 'Triangles: peaks, with their extent and share of the calls.' at screen 0.0165, screen 0.0358974 left tc rgb 0x606060
set key at graph 1, graph 1.00642 right bottom Left reverse horizontal maxcols 2 samplen 1.5 spacing 1
plot $run_1_1 using 1:3:(in_log($1, $2, 0.040)):(in_log($1, $2, 0.960)):(0.5):3 with boxxyerror fc rgb first fs solid border lc rgb first_edge title 'past_eof_fast', \
	$run_1_2 using 1:3:(in_log($1, $2, 0.220)):(in_log($1, $2, 0.780)):(0.5):3 with boxxyerror fc rgb second fs solid border lc rgb second_edge title 'past_eof_slow'
