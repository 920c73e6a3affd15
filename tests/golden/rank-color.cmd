# colour on demand; verdicts are words all the same
osprof rank -q --color always data/runs/randread-1/1.json data/runs/randread-2/2.txt
