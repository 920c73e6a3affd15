# Drawn by osprof. Edit it, and run gnuplot on it again.
# Mean latency and p99 of each run, with the runs from which on they changed.
set terminal pngcairo size 800,474 noenhanced font 'sans-serif,11'
set output 'history.png'
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

$mean_1_1 << EOD
# run latency
1 246.699348806
2 234.363687538
3 217.105259546
4 274.779937216
5 209.553959985
EOD
$mean_1_2 << EOD
# run latency
6 78097.8096647
7 98337.3737569
8 56771.8517816
9 67155.8482919
10 76747.266344
EOD
$p99_1_3 << EOD
# run latency
1 528.240394143
2 563.310847142
3 472.283821978
4 653.695965137
5 453.164857272
EOD
$p99_1_4 << EOD
# run latency
6 239029.141494
7 260138.481979
8 183635.374091
9 276463.744947
10 230738.103453
EOD
$mean_2_1 << EOD
# run latency
1 98215.9185787
2 83885.7290263
3 83043.4197302
4 98490.9108808
5 83209.2268111
EOD
$mean_2_2 << EOD
# run latency
6 91885.469383
7 100975.467399
8 85848.7504412
9 93864.3604873
10 94438.5727884
EOD
$p99_2_3 << EOD
# run latency
1 317438.277435
2 130926.612267
3 129855.729004
4 357019.237463
5 271360.06438
EOD
$p99_2_4 << EOD
# run latency
6 195857.974119
7 269366.483054
8 127115.563611
9 273954.75495
10 204172.197163
EOD

set multiplot

# lseek
set lmargin at screen 0.1119; set rmargin at screen 0.9560
set tmargin at screen 0.8619; set bmargin at screen 0.5406
unset logscale x
set xrange [0.5:10.5]
set xtics ('' 2, '' 4, '' 6, '' 8, '' 10)
unset xlabel
unset x2label; unset x2tics
set logscale y
set yrange [139.703:414696]
set ytics ('1 us' 1000, '10 us' 10000, '100 us' 100000)
unset ylabel
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'lseek' at graph 0, graph 1.07584 front
set label 'latency' at screen 0.0216563, graph 0.5 center rotate by 90
set key at graph 1, graph 1.17695 right bottom Left reverse horizontal maxcols 4 samplen 1.5 spacing 1
plot $mean_1_1 using 1:2 with points pt 7 lc rgb first_edge ps 0.6 title 'mean before', \
	$mean_1_2 using 1:2 with points pt 7 lc rgb second_edge ps 0.6 title 'mean after', \
	$p99_1_3 using 1:2 with points pt 6 ps 0.9 lw 1.5 lc rgb first_edge title 'p99 before', \
	$p99_1_4 using 1:2 with points pt 6 ps 0.9 lw 1.5 lc rgb second_edge title 'p99 after'

# read
set lmargin at screen 0.1119; set rmargin at screen 0.9560
set tmargin at screen 0.4594; set bmargin at screen 0.1381
unset logscale x
set xrange [0.5:10.5]
set xtics ('2' 2, '4' 4, '6' 6, '8' 8, '10' 10)
set xlabel 'run'
unset x2label; unset x2tics
set logscale y
set yrange [55362.3:535529]
set ytics ('100 us' 100000, '200 us' 200000, '500 us' 500000)
unset ylabel
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'read' at graph 0, graph 1.07584 front
set label 'latency' at screen 0.0216563, graph 0.5 center rotate by 90
unset key
plot $mean_2_1 using 1:2 with points pt 7 lc rgb first_edge ps 0.6 title 'mean before', \
	$mean_2_2 using 1:2 with points pt 7 lc rgb second_edge ps 0.6 title 'mean after', \
	$p99_2_3 using 1:2 with points pt 6 ps 0.9 lw 1.5 lc rgb first_edge title 'p99 before', \
	$p99_2_4 using 1:2 with points pt 6 ps 0.9 lw 1.5 lc rgb second_edge title 'p99 after'
unset multiplot
