# 
osprof rank -q -f csv data/runs/grep-cold/1.json data/runs/grep-warm/2.txt
