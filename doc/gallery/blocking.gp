# Drawn by osprof. Edit it, and run gnuplot on it again.
# What calls waited for: how many calls, and how long in all, which the colour shows on a logarithmic scale.
set terminal pngcairo size 800,312 noenhanced font 'sans-serif,11'
set output 'blocking.png'
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

$blocking_1_1 << EOD
# low high top foot log10(1+ns)
-0.47 0.43 -0.46 0.376 8.19415166699
-0.47 0.43 1.54 2.376 7.66901409876
0.53 1.43 0.54 1.376 7.98881853299
0.53 1.43 2.54 3.376 7.42416411547
1.53 2.43 -0.46 0.376 7.32365886728
2.53 3.43 3.54 4.376 7.24976254912
EOD


set lmargin at screen 0.1190; set rmargin at screen 0.9560
set tmargin at screen 0.9506; set bmargin at screen 0.2098

# What colours mean.
set palette defined (0 '#e8f1f8', 1 '#8fbfe0')
set cbrange [7.24976:8.24976]
unset cbtics
unset colorbox
unset logscale x
set xrange [-0.5:3.5]
set xtics ('pipe' 0, 'process' 1, 'file' 2, 'directory' 3)
set xlabel 'waited for'
unset x2label; unset x2tics
unset logscale y
set yrange [4.5:-0.5]
set ytics ('read' 0, 'wait3' 1, 'fread' 2, 'waitpid' 3, 'readdir' 4)
unset ylabel
unset y2label; unset y2tics
unset grid
unset label; unset arrow
set label '14 calls' at -0.45, -0.18 offset 0.5,0 front
set label '156 ms' at -0.45, 0.2 offset 0.5,0 front
set label '1 call' at -0.45, 1.82 offset 0.5,0 front
set label '46.7 ms' at -0.45, 2.2 offset 0.5,0 front
set label '5 calls' at 0.55, 0.82 offset 0.5,0 front
set label '97.5 ms' at 0.55, 1.2 offset 0.5,0 front
set label '1 call' at 0.55, 2.82 offset 0.5,0 front
set label '26.6 ms' at 0.55, 3.2 offset 0.5,0 front
set label '6 calls' at 1.55, -0.18 offset 0.5,0 front
set label '21.1 ms' at 1.55, 0.2 offset 0.5,0 front
set label '2 calls' at 2.55, 3.82 offset 0.5,0 front
set label '17.8 ms' at 2.55, 4.2 offset 0.5,0 front
set label 'call' at screen 0.0216563, graph 0.5 center rotate by 90
unset key
plot $blocking_1_1 using 1:3:1:(in_line($1, $2, 1.06)):3:(in_line($3, $4, 1.04)):5 with boxxyerror fs solid noborder fc palette notitle
