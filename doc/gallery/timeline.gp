# Drawn by osprof. Edit it, and run gnuplot on it again.
# Latency of each interval over elapsed time; dashed lines are where calls or their mean latency changed their level.
set terminal pngcairo size 800,794 noenhanced font 'sans,11'
set output 'timeline.png'
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

$latency_1_1 << EOD
# start end latency
0 1 15733981
1 2 16019241
2 3 16048823
3 4 16552647
4 5 15582417
5 6 20075160
6 7 15260705
7 8 12350058
8 9 13848301
9 10 10110722
10 11 24936857
11 12 13720368
12 13 15128053
13 14 15295163
14 15 12212687
15 16 27611847
16 17 11730390
17 18 11142335
18 19 11423301
19 20 12899804
20 21 28542430
21 22 13619694
22 23 13196665
23 24 12264005
24 25 12254776
25 26 21202355
26 27 13251690
27 28 12172864
28 29 11514059
29 30 13150796
30 31 14879564
31 32 10816924
32 33 10908105
33 34 11976967
34 35 10626184
35 36 19500698
36 37 11533249
37 38 11475533
38 39 12573156
39 40 11891312
40 41 17436211
41 42 11921761
42 43 12028777
43 44 13510654
44 45 13615840
45 46 65825
EOD
$latency_2_1 << EOD
# start end latency
0 1 10745987
1 2 6944155
2 3 7477062
3 4 7399721
4 5 6482539
5 6 6130241
6 7 9652994
7 8 14951372
8 9 15693435
9 10 21649294
10 11 7092631
11 12 10217664
12 13 11849359
13 14 10997417
14 15 6737868
15 16 21704547
16 17 14476089
17 18 19173800
18 19 17491522
19 20 16580762
20 21 30298487
21 22 7785548
22 23 10705986
23 24 7195759
24 25 8748817
25 26 17600840
26 27 7516008
27 28 7808666
28 29 6971522
29 30 15465293
30 31 38989257
31 32 10274712
32 33 9164666
33 34 15977532
34 35 11741423
35 36 16787827
36 37 12215617
37 38 7294663
38 39 11628624
39 40 13459016
40 41 17379990
41 42 16894760
42 43 14774993
43 44 17961642
44 45 13463214
45 46 32414
EOD
$latency_3_1 << EOD
# start end latency
5 6 26635083
10 11 22904743
15 16 30285042
20 21 2812792
25 26 8144831
30 31 23548517
35 36 28462081
40 41 38675613
EOD
$latency_4_1 << EOD
# start end latency
5 6 6316047
10 11 9946978
15 16 4003270
20 21 26942406
25 26 21097585
30 31 5910200
35 36 9469382
40 41 9345620
EOD

set multiplot

# pwrite64
set lmargin at screen 0.1012; set rmargin at screen 0.9560
set tmargin at screen 0.9806; set bmargin at screen 0.7688
unset logscale x
set xrange [0:46]
set xtics ('' 0, '' 10, '' 20, '' 30, '' 40)
unset xlabel
unset x2label; unset x2tics
unset logscale y
set yrange [0:37105159]
set ytics ('0' 0, '5 ms' 5000000, '10 ms' 10000000, '15 ms' 15000000, '20 ms' 20000000, '25 ms' 25000000)
set ylabel 'latency'
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'pwrite64' at graph 0, graph 1 offset 1,-1 front
unset key
plot $latency_1_1 using 1:3:(in_line($1, $2, 0.040)):(in_line($1, $2, 0.960)):(0):3 with boxxyerror fc rgb first fs solid border lc rgb first_edge notitle

# pread64
set lmargin at screen 0.1012; set rmargin at screen 0.9560
set tmargin at screen 0.7518; set bmargin at screen 0.5400
unset logscale x
set xrange [0:46]
set xtics ('' 0, '' 10, '' 20, '' 30, '' 40)
unset xlabel
unset x2label; unset x2tics
unset logscale y
set yrange [0:5.0686e+07]
set ytics ('0' 0, '10 ms' 10000000, '20 ms' 20000000, '30 ms' 30000000)
set ylabel 'latency'
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'pread64' at graph 0, graph 1 offset 1,-1 front
unset key
plot $latency_2_1 using 1:3:(in_line($1, $2, 0.040)):(in_line($1, $2, 0.960)):(0):3 with boxxyerror fc rgb first fs solid border lc rgb first_edge notitle

# sync_file_range: every 5 s, strength 0.72
set lmargin at screen 0.1012; set rmargin at screen 0.9560
set tmargin at screen 0.5230; set bmargin at screen 0.3112
unset logscale x
set xrange [0:46]
set xtics ('' 0, '' 10, '' 20, '' 30, '' 40)
unset xlabel
unset x2label; unset x2tics
unset logscale y
set yrange [0:5.02783e+07]
set ytics ('0' 0, '10 ms' 10000000, '20 ms' 20000000, '30 ms' 30000000)
set ylabel 'latency'
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'sync_file_range: every 5 s, strength 0.72' at graph 0, graph 1 offset 1,-1 front
unset key
plot $latency_3_1 using 1:3:(in_line($1, $2, 0.040)):(in_line($1, $2, 0.960)):(0):3 with boxxyerror fc rgb first fs solid border lc rgb first_edge notitle

# fsync: every 5 s, strength 0.72
set lmargin at screen 0.1012; set rmargin at screen 0.9560
set tmargin at screen 0.2942; set bmargin at screen 0.0824
unset logscale x
set xrange [0:46]
set xtics ('0' 0, '10 s' 10, '20 s' 20, '30 s' 30, '40 s' 40)
set xlabel 'elapsed time'
unset x2label; unset x2tics
unset logscale y
set yrange [0:3.50251e+07]
set ytics ('0' 0, '5 ms' 5000000, '10 ms' 10000000, '15 ms' 15000000, '20 ms' 20000000, '25 ms' 25000000)
set ylabel 'latency'
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'fsync: every 5 s, strength 0.72' at graph 0, graph 1 offset 1,-1 front
unset key
plot $latency_4_1 using 1:3:(in_line($1, $2, 0.040)):(in_line($1, $2, 0.960)):(0):3 with boxxyerror fc rgb first fs solid border lc rgb first_edge notitle
unset multiplot
