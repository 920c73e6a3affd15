# the same as data
osprof explain -q -f json --elapsed 1 --op lseek data/runs/randread-1 data/runs/randread-2
