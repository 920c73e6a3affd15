# A... -- B..., unequal numbers of runs
osprof rank -q data/runs/randread-1/1.json data/runs/randread-1/2.txt -- data/runs/randread-2/1.json
# the heading says how many were named; JSON names them all
osprof rank -q -f markdown data/runs/randread-1/1.json data/runs/randread-1/2.txt -- data/runs/randread-2/1.json data/runs/randread-1 data/runs/randread-2 | grep -E '^- (before|after)'
osprof rank -q -f json data/runs/randread-1/1.json data/runs/randread-1/2.txt -- data/runs/randread-2/1.json | grep data
