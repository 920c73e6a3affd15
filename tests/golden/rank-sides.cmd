# A... -- B..., unequal numbers of runs
osprof rank -q data/runs/randread-1/1.json data/runs/randread-1/2.txt -- data/runs/randread-2/1.json
