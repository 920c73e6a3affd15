# OSprof 6.1: the seek's new peak looks like that of the reads it waits for
osprof explain -q data/runs/randread-1 data/runs/randread-2
