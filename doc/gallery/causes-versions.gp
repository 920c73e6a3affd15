# Drawn by osprof. Edit it, and run gnuplot on it again.
# From the function down, each box is as wide as the time a call spends there; the colour is what it adds to the other calls' time.
set terminal pngcairo size 800,480 noenhanced font 'sans-serif,11'
set output 'causes-versions.png'
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
dim = 0xc8ccd0; dim_edge = 0x7a8188

$icicle_1_1 << EOD
# from to top foot added_ns
0 229899.825 -0.46 0.46 0
40782.5833333 223334.654167 0.54 1.46 0
0 40782.5833333 0.54 1.46 0
40782.5833333 212725.170833 1.54 2.46 0
40782.5833333 212549.445833 2.54 3.46 0
40782.5833333 211054.720833 3.54 4.46 0
EOD
$icicle_2_1 << EOD
# from to top foot added_ns
0 289015.891667 -0.46 0.46 59116.0666667
94685.9583333 280827.058333 0.54 1.46 3589.02916667
0 94685.9583333 0.54 1.46 53903.375
94685.9583333 269386.704167 1.54 2.46 2758.15833333
94685.9583333 269075.533333 2.54 3.46 2622.7125
94685.9583333 267119.166667 3.54 4.46 2161.07083333
EOD

set multiplot

# before: handle, 240 calls, 230 us each
set lmargin at screen 0.0440; set rmargin at screen 0.8130
set tmargin at screen 0.9158; set bmargin at screen 0.6183

# What colours mean.
set palette defined (-4 '#6fa8d4', 0 '#f0f0f0', 4 '#f0a94a')
set cbrange [-59116.1:59116.1]
set cbtics ('-59.1 us' -59116.1, '0' 0, '59.1 us' 59116.1)
unset colorbox
unset logscale x
set xrange [0:289016]
set xtics ('0' 0, '50 us' 50000, '100 us' 100000, '150 us' 150000, '200 us' 200000, '250 us' 250000)
set xlabel 'time a call'
unset x2label; unset x2tics
unset logscale y
set yrange [4.5:-0.5]
unset ytics
unset ylabel
unset y2label; unset y2tics
unset grid
unset label; unset arrow
set label 'before: handle, 240 calls, 230 us each' at graph 0, graph 1.08089 front
set label 'handle' at 0, 0 offset 0.5,0 front
set label 'find_order' at 40782.6, 1 offset 0.5,0 front
set label 'che…rder' at 0, 1 offset 0.5,0 front
set label 'load_file' at 40782.6, 2 offset 0.5,0 front
set label 'usleep' at 40782.6, 3 offset 0.5,0 front
set label '[blocked]' at 40782.6, 4 offset 0.5,0 front
unset key
plot $icicle_1_1 using 1:3:1:2:3:4:5 with boxxyerror fs solid border rgb 'white' fc palette notitle

# after: handle, 240 calls, 289 us each
set lmargin at screen 0.0440; set rmargin at screen 0.8130
set tmargin at screen 0.4338; set bmargin at screen 0.1364
set colorbox vertical user origin screen 0.8570, screen 0.1364 size screen 0.0132, screen 0.2975 noborder
unset logscale x
set xrange [0:289016]
set xtics ('0' 0, '50 us' 50000, '100 us' 100000, '150 us' 150000, '200 us' 200000, '250 us' 250000)
set xlabel 'time a call'
unset x2label; unset x2tics
unset logscale y
set yrange [4.5:-0.5]
unset ytics
unset ylabel
unset y2label; unset y2tics
unset grid
unset label; unset arrow
set label 'after: handle, 240 calls, 289 us each' at graph 0, graph 1.08089 front
set label 'handle' at 0, 0 offset 0.5,0 front
set label 'find_order' at 94686, 1 offset 0.5,0 front
set label 'check_order' at 0, 1 offset 0.5,0 front
set label 'load_file' at 94686, 2 offset 0.5,0 front
set label 'usleep' at 94686, 3 offset 0.5,0 front
set label '[blocked]' at 94686, 4 offset 0.5,0 front
set label 'added after' at screen 0.98075, screen 0.285091 center rotate by 90
unset key
plot $icicle_2_1 using 1:3:1:2:3:4:5 with boxxyerror fs solid border rgb 'white' fc palette notitle
unset multiplot
