# OSprof 3.3: the period of a background event is the elapsed time over its events
osprof explain -q --elapsed 1.06,2.09 data/runs/zeroread-1 data/runs/zeroread-2
osprof explain -q --op read data/runs/zeroread-1 data/runs/zeroread-1 | tail -1
osprof explain -q --elapsed 1.06 --op read data/runs/zeroread-1/1.json data/runs/zeroread-1/3.json | grep -B 2 periodic
