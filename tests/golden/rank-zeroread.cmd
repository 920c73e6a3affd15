# OSprof 3.3: a second process brings preempted reads
osprof rank -q data/runs/zeroread-1/1.json data/runs/zeroread-2/2.txt
