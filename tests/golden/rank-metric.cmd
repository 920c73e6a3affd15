# another distance orders
osprof rank -q -m ks -a data/runs/grep-cold/1.json data/runs/grep-warm/2.txt
