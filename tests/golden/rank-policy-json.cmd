# the policy in JSON
printf 'operation read\n  ignore\noperation ls*\n  min-effect 0.1\n' >gate.policy
osprof rank -q -f json --policy gate.policy data/runs/randread-1/1.json data/runs/randread-2/2.txt | grep -E '"(policy|name|failed|failure)"'
