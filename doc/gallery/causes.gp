# Drawn by osprof. Edit it, and run gnuplot on it again.
# From the function down, each box is as wide as the time a call spends there; the colour is what it adds to the other calls' time.
set terminal pngcairo size 800,331 noenhanced font 'sans-serif,11'
set output 'causes.png'
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
0 2122901.15 -0.46 0.46 2065092.35455
0 2073812.6 0.54 1.46 2063193.30455
2073812.6 2114969.25 0.54 1.46 408.072727273
0 2063311.05 1.54 2.46 2063311.05
0 2061202.35 2.54 3.46 2061202.35
0 2043265.65 3.54 4.46 2043265.65
EOD


# handle, 20 calls, 2.12 ms each
set lmargin at screen 0.0440; set rmargin at screen 0.8130
set tmargin at screen 0.8779; set bmargin at screen 0.1977

# What colours mean.
set palette defined (-4 '#6fa8d4', 0 '#f0f0f0', 4 '#f0a94a')
set cbrange [-2.06509e+06:2.06509e+06]
set cbtics ('-2.07 ms' -2.06509e+06, '0' 0, '2.07 ms' 2.06509e+06)
set colorbox vertical user origin screen 0.8570, screen 0.1977 size screen 0.0132, screen 0.6801 noborder
unset logscale x
set xrange [0:2.1229e+06]
set xtics ('0' 0, '500 us' 500000, '1 ms' 1000000, '1.50 ms' 1500000, '2 ms' 2000000)
set xlabel 'time a call'
unset x2label; unset x2tics
unset logscale y
set yrange [4.5:-0.5]
unset ytics
unset ylabel
unset y2label; unset y2tics
unset grid
unset label; unset arrow
set label 'handle, 20 calls, 2.12 ms each' at graph 0, graph 1.0513 front
set label 'handle' at 0, 0 offset 0.5,0 front
set label 'find_order' at 0, 1 offset 0.5,0 front
set label 'load_file' at 0, 2 offset 0.5,0 front
set label 'usleep' at 0, 3 offset 0.5,0 front
set label '[blocked]' at 0, 4 offset 0.5,0 front
set label 'added by slow calls' at screen 0.98075, screen 0.537802 center rotate by 90
unset key
plot $icicle_1_1 using 1:3:1:2:3:4:5 with boxxyerror fs solid border rgb 'white' fc palette notitle
