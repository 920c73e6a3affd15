# peaks in order of total latency
osprof peaks -q data/runs/randread-2/2.txt
