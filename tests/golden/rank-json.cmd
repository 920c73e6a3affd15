# the JSON of rank
osprof rank -q -f json data/runs/zeroread-1/1.json data/runs/zeroread-2/2.txt
