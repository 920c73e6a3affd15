# Drawn by osprof. Edit it, and run gnuplot on it again.
# From the function down, each box is as wide as the time a call spends there; the colour is what it adds to the other calls' time. 10 nodes are too narrow or too deep.
set terminal pngcairo size 800,391 noenhanced font 'sans-serif,11'
set output 'causes-kernel.png'
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
0 100017967.407 -0.46 0.46 99978997.7157
0 94836112.7778 0.54 1.46 94825619.0561
0 94828703.5185 1.54 2.46 94825590.2735
0 94820666.4815 2.54 3.46 94820645.0248
0 94814910.9259 3.54 4.46 94814900.8226
0 73818807.2222 4.54 5.46 73818807.2222
99417863.5185 99804313.2593 0.54 1.46 386407.864074
94836112.7778 99417863.5185 0.54 1.46 4580713.52407
94836112.7778 99112155.6667 1.54 2.46 4275050.32056
73818807.2222 94755792.9259 4.54 5.46 20936985.7037
73818807.2222 94751431.4444 5.54 6.46 20932624.2222
EOD


# ksys_lseek, 27 calls, 100 ms each
set lmargin at screen 0.0440; set rmargin at screen 0.8117
set tmargin at screen 0.8966; set bmargin at screen 0.1674

# What colours mean.
set palette defined (-4 '#6fa8d4', 0 '#f0f0f0', 4 '#f0a94a')
set cbrange [-9.9979e+07:9.9979e+07]
set cbtics ('-100 ms' -9.9979e+07, '0' 0, '100 ms' 9.9979e+07)
set colorbox vertical user origin screen 0.8570, screen 0.1674 size screen 0.0132, screen 0.7292 noborder
unset logscale x
set xrange [0:1.00018e+08]
set xtics ('0' 0, '20 ms' 20000000, '40 ms' 40000000, '60 ms' 60000000, '80 ms' 80000000, '100 ms' 100000000)
set xlabel 'time a call'
unset x2label; unset x2tics
unset logscale y
set yrange [6.5:-0.5]
unset ytics
unset ylabel
unset y2label; unset y2tics
unset grid
unset label; unset arrow
set label 'ksys_lseek, 27 calls, 100 ms each' at graph 0, graph 1.04051 front
set label 'ksys_lseek' at 0, 0 offset 0.5,0 front
set label '__fdget_pos' at 0, 1 offset 0.5,0 front
set label 'mutex_lock' at 0, 2 offset 0.5,0 front
set label '__mutex_lock_slowpath' at 0, 3 offset 0.5,0 front
set label '__mutex_lock.constprop.0' at 0, 4 offset 0.5,0 front
set label 'mutex_spin_on_owner' at 0, 5 offset 0.5,0 front
set label 'sched…sabled' at 7.38188e+07, 5 offset 0.5,0 front
set label 'schedule' at 7.38188e+07, 6 offset 0.5,0 front
set label 'added by slow calls' at screen 0.98075, screen 0.532001 center rotate by 90
unset key
plot $icicle_1_1 using 1:3:1:2:3:4:5 with boxxyerror fs solid border rgb 'white' fc palette notitle
