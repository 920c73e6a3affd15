# failures with their rule, and what is ignored
printf 'operation read\n  ignore\noperation ls*\n  min-effect 0.1\nfail regressed\n' >gate.policy
osprof rank -q -f junit --policy gate.policy data/runs/randread-1/1.json data/runs/randread-2/2.txt
