# figures over time
size() { od -An -tx1 -j16 -N8 "$1"; } # width and height of a PNG
osprof plot -q map --unit ns data/runs/flusher-1s-1000.json data/runs/flusher-1s-5.json --op pread64 -o map.png && size map.png
osprof plot -q space --unit ns data/runs/flusher-1s-5.json -o space.png && size space.png
osprof plot -q views --unit ns data/runs/flusher-1s-5.json --op pwrite64 -o views.png && size views.png
osprof plot -q timeline --unit ns data/runs/flusher-1s-5.json -o timeline.png && size timeline.png
grep -o "'[a-z_0-9]*: every [^']*'" timeline.gp
# gaps stay empty, no calls are no cells, one scale for all three
printf 'osprof 1\nunit ns\nop read\ninterval 0 5\n8 3\n10 1\ninterval 10 15\n8 99\n' >a
printf 'osprof 1\nunit ns\nop read\ninterval 0 5\n8 3\n10 11\ninterval 5 10\n10 9\ninterval 10 15\n8 99\n' >b
osprof plot -q map a b -o gaps.gp && sed -n '/palette/,/multiplot/p' gaps.gp
# very many intervals are put together
{ printf 'osprof 1\nunit ns\nop read\n'; for i in $(seq 0 9999); do printf 'interval %d %d\n8 %d\n' "$i" "$((i + 1))" "$((i % 7 + 1))"; done; } >many
for k in map space views timeline; do osprof plot -q $k many -o $k-many.png && size $k-many.png; done
awk '/^\$cells/ {on = 1} /^EOD/ {on = 0} on' map-many.gp | wc -l
# not sampled in time
osprof plot -q map --unit ns data/runs/by-number.json -o no.png; echo "status $?"
osprof plot -q views many many -o no.png; echo "status $?"
