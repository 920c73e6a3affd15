# no characters beyond ASCII
osprof show --ascii -q data/runs/grep-cold/1.json
