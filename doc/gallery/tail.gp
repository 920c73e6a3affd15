# Drawn by osprof. Edit it, and run gnuplot on it again.
# What share of the calls is slower than a latency, on logarithmic scales. Exact at the edges of buckets.
set terminal pngcairo size 800,429 noenhanced font 'sans-serif,11'
set output 'tail.png'
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
256 100 100
512 0.0857 0.472966666667
1024 0.0167666666667 0.0286333333333
2048 0.0163 0.0208666666667
4096 0.0128666666667 0.0141333333333
8192 0.0125 0.0132
16384 0.0123333333333 0.0129
32768 0.0042 0.00596666666667
65536 0.000366666666665 0.00136666666667
131072 0.000000001 0.0000333333333344
EOD
$run_1_2 << EOD
# latency percent_above
256 100
512 0.19528
1024 0.0230266666667
2048 0.01812
4096 0.01348
8192 0.01276
16384 0.0125733333333
32768 0.00502
65536 0.000680000000003
131072 0.00000666666666405
EOD
$spread_1_3 << EOD
# latency least most
256 100 100
512 0.1163 0.466433333333
1024 0.0294333333333 0.0463833333333
2048 0.0212 0.0373166666667
4096 0.0156333333333 0.02085
8192 0.0150333333333 0.0173
16384 0.0148833333333 0.0162333333333
32768 0.0117166666667 0.0131666666667
65536 0.00908333333334 0.00966666666666
131072 0.00848333333333 0.00888333333333
262144 0.00848333333333 0.00885
524288 0.00848333333333 0.00881666666666
1048576 0.00848333333333 0.00881666666666
2097152 0.00846666666666 0.00881666666666
4194304 0.0000333333333344 0.0000666666666689
EOD
$run_1_4 << EOD
# latency percent_above
256 100
512 0.252686666667
1024 0.0391033333333
2048 0.02924
4096 0.0171766666667
8192 0.0157766666667
16384 0.0153833333333
32768 0.0124533333333
65536 0.00929666666667
131072 0.00868333333334
262144 0.00866000000001
524288 0.00865
1048576 0.00865
2097152 0.00863666666666
4194304 0.0000533333333266
EOD


# read
set lmargin at screen 0.1609; set rmargin at screen 0.9560
set tmargin at screen 0.9058; set bmargin at screen 0.2064
set logscale x
set xrange [207.937:1.03276e+07]
set xtics ('1 us' 1000, '10 us' 10000, '100 us' 100000, '1 ms' 1000000, '10 ms' 10000000)
set xlabel 'latency'
unset x2label; unset x2tics
set logscale y
set yrange [0.0000005:236.701]
set ytics ('0.000001 %%' 0.000001, '0.00001 %%' 0.00001, '0.0001 %%' 0.0001, '0.001 %%' 0.001, '0.01 %%' 0.01, '0.1 %%' 0.1, '1 %%' 1, '10 %%' 10, \
	'100 %%' 100)
unset ylabel
unset y2label; unset y2tics
set grid noxtics ytics lt 1 lw 0.5 lc rgb 0xd8dce0
unset label; unset arrow
set label 'read' at graph 0, graph 1.0385 front
set label 'calls that are slower' at screen 0.0216562, graph 0.5 center rotate by 90
set label 'Pale: from the lowest to the highest of the repeated runs.' at screen 0.0165, screen 0.0358974 left tc rgb 0x606060
set key at graph 1, graph 1.00642 right bottom Left reverse horizontal maxcols 2 samplen 1.5 spacing 1
plot $spread_1_1 using 1:2:3 with filledcurves fc rgb first_pale fs solid noborder notitle, \
	$run_1_2 using 1:2 with lines lw 2 dt 1 lc rgb first_edge title 'before: zeroread-1', \
	$spread_1_3 using 1:2:3 with filledcurves fc rgb second_pale fs solid noborder notitle, \
	$run_1_4 using 1:2 with lines lw 2 dt 1 lc rgb second_edge title 'after: zeroread-2'
