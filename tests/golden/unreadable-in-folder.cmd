# one bad run of several is an error, not left out
mkdir runs; cp data/runs/clone-1/1.json runs/1.json; echo nonsense >runs/2.json; osprof rank -q runs runs; echo status $?
