# a comment for a pull request
printf 'operation read\n  ignore\n' >gate.policy
osprof rank -q -f markdown --policy gate.policy data/runs/randread-1/1.json data/runs/randread-2/2.txt
