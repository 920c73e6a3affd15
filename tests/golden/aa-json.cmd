osprof aa -q --format json data/runs/zeroread-1
