# OSprof 6.1 on today's kernel: the seek waits for the other process
osprof rank data/runs/randread-1/1.json data/runs/randread-2/2.txt
