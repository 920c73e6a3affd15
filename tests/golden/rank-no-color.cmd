# never when NO_COLOR is set and nobody insists
NO_COLOR=1 TERM=xterm osprof rank -q data/runs/randread-1/1.json data/runs/randread-2/2.txt | head -5
