# cold against warm
osprof rank -q data/runs/grep-cold/1.json data/runs/grep-warm/2.txt
