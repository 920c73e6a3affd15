# one against four
osprof rank -q -a data/runs/clone-1/3.json data/runs/clone-4/2.txt
