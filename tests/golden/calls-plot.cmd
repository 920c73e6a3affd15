# What figures of per-call records refuse, and a script.
osprof plot calls data/calls/good.csv data/calls/good.csv || echo "status $?"
osprof plot --all -o all blocking data/calls/good.csv || echo "status $?"
osprof plot user-kernel data/calls/pipes.csv || echo "status $?"
osprof plot blocking --op write data/calls/good.csv || echo "status $?"
osprof plot sites data/runs/randread-1/1.json || echo "status $?"
osprof plot calls --x-range 1ms:2ms data/calls/forks.csv || echo "status $?"
osprof plot calls --y-range 2ms:1ms data/calls/forks.csv || echo "status $?"
osprof plot calls --y-range 1cycles:2cycles data/calls/forks.csv || echo "status $?"
osprof plot blocking data/calls/hostile.csv -o hostile.gp
grep 'tics (' hostile.gp
