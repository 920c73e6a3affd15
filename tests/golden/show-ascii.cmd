# ASCII output only
osprof show --ascii -q data/runs/grep-cold/1.json
