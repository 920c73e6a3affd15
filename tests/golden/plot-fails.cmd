# gnuplot is missing: the script is there, and how to get gnuplot
printf 'osprof 1\nunit ns\nop read\n8 4000\n9 3000\n' >a
OSPROF_GNUPLOT=no-such-gnuplot osprof plot -q a -o x.png; echo "status $?"; ls
# gnuplot fails: its words and the script's name
printf '#!/bin/sh\necho "line 7: it hurts" >&2\nexit 1\n' >bad; chmod +x bad
OSPROF_GNUPLOT=./bad osprof plot -q a -o y.png; echo "status $?"; ls
printf '#!/bin/sh\nexit 0\n' >idle; chmod +x idle
OSPROF_GNUPLOT=./idle osprof plot -q a -o z.png; echo "status $?"
printf '#!/bin/sh\nkill -9 $$\n' >dies; chmod +x dies
OSPROF_GNUPLOT=./dies osprof plot -q a -o w.png; echo "status $?"; ls
# unwritable paths, a full disk, unknown suffixes
osprof plot -q a -o no/such/folder/x.png; echo "status $?"
osprof plot -q a --terminal png -o /dev/full; echo "status $?"
osprof plot -q a -o x.jpeg; echo "status $?"
osprof plot -q a -o nothing; echo "status $?"
osprof plot -q a --terminal svg -o named && head -c 5 named; echo
# usage
osprof plot difference a -o d.png; echo "status $?"
osprof plot -q values a a -o d.png; echo "status $?"
osprof plot histogran a -o d.png; echo "status $?"
osprof plot -q a --size 10x10 -o d.png; echo "status $?"
osprof plot -q a --x-range 5 -o d.png; echo "status $?"
osprof plot -q a --x-range 1us:1ns -o d.png; echo "status $?"
osprof plot -q a --x-range 1cycles: -o d.png; echo "status $?"
osprof plot -q a --font "$(printf 'x%.0s' $(seq 100))" -o d.png; echo "status $?"
osprof plot -q a --axis-unit fortnight -o d.png; echo "status $?"
ls
