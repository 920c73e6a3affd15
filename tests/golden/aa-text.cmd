osprof aa -q data/runs/grep-cold
