# what a policy says of each operation, and why: the last two columns
printf 'operation read\n  ignore\noperation ls*\n  min-effect 0.1\n' >gate.policy
osprof rank -q -f csv --policy gate.policy data/runs/randread-1/1.json data/runs/randread-2/2.txt | sed 's/,"",.*,,,,,/: /; 1s/.*calls_floor,/: /'
