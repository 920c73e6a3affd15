# Drawn by osprof. Edit it, and run gnuplot on it again.
# Cumulative distributions: what share of the calls is faster than a latency. They are exact at the edges of buckets, straight between.
set terminal pngcairo size 800,429 noenhanced font 'sans-serif,11'
set output 'cumulative.png'
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
second_pale = 0xf9e3b4; second_pale_edge = 0x8a5f00

$spread_1_1 << EOD
# latency least most
128 0 0
256 54.1433333333 87.2333333333
512 97.64 99.5066666667
1024 99.8266666667 99.9166666667
2048 99.89 99.9433333333
4096 99.9433333333 99.9733333333
8192 99.98 99.9966666667
16384 99.98 100
32768 99.9933333333 100
65536 100 100
41310351.4998 100 100
EOD
$run_1_2 << EOD
# latency percent_below
128 0
256 73.73
512 98.8253333333
1024 99.8573333333
2048 99.9193333333
4096 99.9653333333
8192 99.9893333333
16384 99.992
32768 99.996
65536 100
41310351.4998 100
EOD
$spread_1_3 << EOD
# latency least most
128 0 0
256 0.0966666666667 0.345
512 8.75833333333 10.6066666667
1024 8.99 10.765
2048 9.01 10.7766666667
4096 9.02833333333 10.805
8192 9.04 10.8083333333
16384 9.04833333333 10.8116666667
32768 9.275 10.9583333333
65536 13.3333333333 75.6316666667
131072 85.955 95.3966666667
262144 98.8416666667 99.8666666667
524288 99.8016666667 99.9683333333
1048576 99.9633333333 99.9983333333
2097152 99.9733333333 100
4194304 99.99 100
8388608 99.9966666667 100
16777216 99.9966666667 100
33554432 100 100
41310351.4998 100 100
EOD
$run_1_4 << EOD
# latency percent_below
128 0
256 0.199666666667
512 9.612
1024 9.78566666667
2048 9.80766666667
4096 9.83366666667
8192 9.841
16384 9.844
32768 10.1316666667
65536 49.3723333333
131072 90.3766666667
262144 99.3203333333
524288 99.875
1048576 99.9773333333
2097152 99.988
4194304 99.995
8388608 99.9993333333
16777216 99.9993333333
33554432 100
41310351.4998 100
EOD


# lseek
set lmargin at screen 0.1085; set rmargin at screen 0.9560
set tmargin at screen 0.9058; set bmargin at screen 0.2064
set logscale x
set xrange [103.968:4.13104e+07]
set xtics ('1 us' 1000, '10 us' 10000, '100 us' 100000, '1 ms' 1000000, '10 ms' 10000000)
set xlabel 'latency'
unset x2label; unset x2tics
unset logscale y
set yrange [0:107.216]
set ytics ('0 %%' 0, '20 %%' 20, '40 %%' 40, '60 %%' 60, '80 %%' 80, '100 %%' 100)
unset ylabel
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'lseek' at graph 0, graph 1.0385 front
set label 'calls that are faster' at screen 0.0216563, graph 0.5 center rotate by 90
set label 'Pale: from the lowest to the highest of the repeated runs.' at screen 0.0165, screen 0.0358974 left tc rgb 0x606060
set key at graph 1, graph 1.00642 right bottom Left reverse horizontal maxcols 2 samplen 1.5 spacing 1
plot $spread_1_1 using 1:2:3 with filledcurves fc rgb first_pale fs solid noborder notitle, \
	$run_1_2 using 1:2 with lines lw 2 dt 1 lc rgb first_edge title 'before: randread-1', \
	$spread_1_3 using 1:2:3 with filledcurves fc rgb second_pale fs solid noborder notitle, \
	$run_1_4 using 1:2 with lines lw 2 dt 1 lc rgb second_edge title 'after: randread-2'
