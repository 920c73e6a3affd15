# status 1: something regressed
osprof rank -q --exit-code data/runs/randread-1/1.json data/runs/randread-2/2.txt >/dev/null
