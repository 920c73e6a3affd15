# of 50 peaks, the later the more calls, 10 have no mark: the first, at 30 to 300 ns
{ printf 'osprof 1\nunit ns\nbuckets linear 0 10\nop read\n'; for i in $(seq 50); do printf '%d %d\n' $((3 * i)) $((100 * i)); done; } >a
osprof peaks -q a -f csv | wc -l
osprof plot a -o a.gp
grep -c 'point pt 11' a.gp
grep -m 1 'point pt 11' a.gp
