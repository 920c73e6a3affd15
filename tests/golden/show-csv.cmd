# one table for several runs
osprof show -q -f csv data/runs/randread-1/1.json data/runs/randread-1/2.txt
