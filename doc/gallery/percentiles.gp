# Drawn by osprof. Edit it, and run gnuplot on it again.
# Percentiles: how long the slowest calls take; each nine more has as much room. Between the edges of a bucket the line is straight.
set terminal pngcairo size 800,406 noenhanced font 'sans-serif,11'
set output 'percentiles.png'
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
# 1/(1-quantile) latency
1 128
1.05912712029 256
1.05912712029 256
1.91116298918 512
1.91116298918 512
1.97334658085 1024
1.97334658085 1024
1.98134075886 2048
1.98134075886 2048
1.98354320452 4096
1.98354320452 4096
1.98912276729 8192
1.98912276729 8192
1.99226314045 16384
1.99226314045 16384
1.99860870478 32768
1.99860870478 32768
2.0156109356 65536
2.0156109356 65536
8.23199740503 131072
8.23199740503 131072
44.6801643192 262144
44.6801643192 262144
335.889705882 524288
335.889705882 524288
2057.7027027 1048576
2057.7027027 1048576
4229.72222222 2097152
4229.72222222 2097152
11420.25 4194304
11420.25 4194304
38067.5 8388608
38067.5 8388608
228405 16777216
228405 16777216
228405 33554432
EOD
$run_1_2 << EOD
# 1/(1-quantile) latency
1 128
1.2444087281 256
1.2444087281 256
2.08617618852 512
2.08617618852 512
3.97544122254 1024
3.97544122254 1024
7.69325339351 2048
7.69325339351 2048
17.2994773915 4096
17.2994773915 4096
40.5117062788 8192
40.5117062788 8192
126.400110681 16384
126.400110681 16384
2003.55263158 32768
2003.55263158 32768
3683.9516129 65536
3683.9516129 65536
22840.5 131072
22840.5 131072
28550.625 262144
28550.625 262144
38067.5 524288
38067.5 524288
114202.5 1048576
114202.5 1048576
228405 2097152
EOD


# read
set lmargin at screen 0.1119; set rmargin at screen 0.9560
set tmargin at screen 0.9004; set bmargin at screen 0.1612
set logscale x
set xrange [1:228405]
set xtics ('50 %%' 2, '90 %%' 10, '99 %%' 100, '99.9 %%' 1000, '99.99 %%' 10000, '99.999 %%' 100000)
set xlabel 'calls that are faster'
unset x2label; unset x2tics
set logscale y
set yrange [103.968:6.08182e+07]
set ytics ('1 us' 1000, '10 us' 10000, '100 us' 100000, '1 ms' 1000000, '10 ms' 10000000)
unset ylabel
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'read' at graph 0, graph 1.03848 front
set label 'latency' at screen 0.0216563, graph 0.5 center rotate by 90
set key at graph 1, graph 1.00641 right bottom Left reverse horizontal maxcols 2 samplen 1.5 spacing 1
plot $run_1_1 using 1:2 with lines lw 2 dt 1 lc rgb first_edge title 'before: grep-cold', \
	$run_1_2 using 1:2 with lines lw 2 dt 1 lc rgb second_edge title 'after: grep-warm'
