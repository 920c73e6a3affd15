# 
osprof peaks -q -f json data/runs/zeroread-2/1.json
