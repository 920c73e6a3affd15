# FSprof 5.1.1: what is called equally often
osprof explain -q data/runs/clone-1 data/runs/clone-4
