osprof aa -q --all data/runs/randread-1
