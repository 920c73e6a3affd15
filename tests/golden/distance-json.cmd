# 
osprof distance -q -f json data/runs/zeroread-1/1.json data/runs/zeroread-2/1.json
