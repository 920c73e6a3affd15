# two runs of one configuration
osprof rank -q --exit-code=any data/runs/randread-2/2.txt data/runs/randread-2/3.json
