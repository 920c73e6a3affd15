# Drawn by osprof. Edit it, and run gnuplot on it again.
# By how much p50 and p99 changed in each duet, with the 90 % interval of p50.
set terminal pngcairo size 800,522 noenhanced font 'sans-serif,11'
set output 'duet.png'
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
first_pale = 0xbcd9ea; first_pale_edge = 0x0072b2
dim = 0xc8ccd0; dim_edge = 0x7a8188

$interval_1_1 << EOD
# x least most
0.5 0.367452802605 0.522744194689
12.5 0.367452802605 0.522744194689
EOD
$same_1_2 << EOD
# x y
0.5 0
12.5 0
EOD
$p99_1_3 << EOD
# duet log2(ratio)
1 0.506097251804
2 -0.00718087792619
3 0.482345472164
4 0.954802418706
5 0.527642572545
6 0.404920630602
7 0.462598822406
8 0.524052258311
9 0.722620666831
10 1.15879862806
11 0.364871461879
12 -0.213522675603
EOD
$p50_1_4 << EOD
# duet log2(ratio)
1 0.619051781465
2 0.371112037656
3 0.314744198584
4 0.484833028209
5 0.600839686598
6 0.418315218157
7 0.42290739526
8 0.502184851173
9 0.595418634789
10 0.579527575404
11 0.120750856201
12 0.311496720268
EOD
$interval_2_1 << EOD
# x least most
0.5 -0.128945230069 -0.00180693440606
12.5 -0.128945230069 -0.00180693440606
EOD
$same_2_2 << EOD
# x y
0.5 0
12.5 0
EOD
$p99_2_3 << EOD
# duet log2(ratio)
1 -0.00799062622086
2 -0.564275866812
3 -0.261070646911
4 0.231253417191
5 0.0228913152302
6 -0.181682623209
7 -0.0376077305487
8 -0.0209178970532
9 0.401415582353
10 0.469001041179
11 -0.28976649436
12 -0.418136043301
EOD
$p50_2_4 << EOD
# duet log2(ratio)
1 0.0176163824075
2 -0.130782700243
3 -0.147642819571
4 -0.0134700621048
5 0.0758103714852
6 -0.0253589325776
7 -0.0427890617645
8 -0.00274242319241
9 -0.0075489042426
10 0.0650664749174
11 -0.306194167375
12 -0.266477144591
EOD

set multiplot

# read
set lmargin at screen 0.1239; set rmargin at screen 0.9560
set tmargin at screen 0.8267; set bmargin at screen 0.5350
unset logscale x
set xrange [0.5:12.5]
set xtics ('' 2, '' 4, '' 6, '' 8, '' 10, '' 12)
unset xlabel
unset x2label; unset x2tics
unset logscale y
set yrange [-0.295862:1.24114]
set ytics ('same' 0, '+50 %%' 0.584963, '+100 %%' 1)
unset ylabel
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'read' at graph 0, graph 1.07587 front
set label 'change' at screen 0.0216563, graph 0.5 center rotate by 90
set label 'Partners of a duet ran at the same time: what slowed both is not in their ratio.' at screen 0.0165, screen 0.0295019 left tc rgb 0x606060
set key at graph 1, graph 1.17703 right bottom Left reverse horizontal maxcols 2 samplen 1.5 spacing 1
plot $interval_1_1 using 1:2:3 with filledcurves fc rgb first_pale fs solid noborder title '90 % interval of p50', \
	$same_1_2 using 1:2 with lines lw 2 dt 1 lc rgb dim_edge notitle, \
	$p99_1_3 using 1:2 with points pt 6 ps 0.9 lw 1.5 lc rgb second_edge title 'p99', \
	$p50_1_4 using 1:2 with points pt 7 lc rgb first_edge ps 0.6 title 'p50'

# write
set lmargin at screen 0.1239; set rmargin at screen 0.9560
set tmargin at screen 0.4613; set bmargin at screen 0.1696
unset logscale x
set xrange [0.5:12.5]
set xtics ('2' 2, '4' 4, '6' 6, '8' 8, '10' 10, '12' 12)
set xlabel 'duet'
unset x2label; unset x2tics
unset logscale y
set yrange [-0.626272:0.530998]
set ytics ('−20 %%' -0.321928, 'same' 0, '+20 %%' 0.263034)
unset ylabel
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'write' at graph 0, graph 1.07587 front
set label 'change' at screen 0.0305663, graph 0.5 center rotate by 90
unset key
plot $interval_2_1 using 1:2:3 with filledcurves fc rgb first_pale fs solid noborder title '90 % interval of p50', \
	$same_2_2 using 1:2 with lines lw 2 dt 1 lc rgb dim_edge notitle, \
	$p99_2_3 using 1:2 with points pt 6 ps 0.9 lw 1.5 lc rgb second_edge title 'p99', \
	$p50_2_4 using 1:2 with points pt 7 lc rgb first_edge ps 0.6 title 'p50'
unset multiplot
