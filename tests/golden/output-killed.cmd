# A killed osprof leaves nothing; where files need a name from the beginning, no run of the folder.
mkdir runs
printf 'osprof 1\nunit ns\nop read\n8 4000\n9 3000\ntotal 3000000\n' >runs/1.osprof
printf '#!/bin/sh\nkill -9 $PPID\n' >kills; chmod +x kills
{ OSPROF_GNUPLOT=./kills osprof plot -q runs -o runs/x.png; } 2>/dev/null; echo "status $?"
ls runs
ls -A runs | wc -l
cp runs/1.osprof runs/.osprof.GJBsmM
osprof show runs
