# EMD alone
osprof rank -q --threshold 1 data/runs/grep-cold/1.json data/runs/grep-warm/2.txt
