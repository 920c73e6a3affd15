osprof aa -q --format csv data/runs/zeroread-1
