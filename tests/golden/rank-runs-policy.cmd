# a policy holds for repeated runs, too
printf 'operation read\n  min-calls 2\n  min-effect 1\nfail regressed\n' >policy
osprof rank -q --exit-code --policy policy data/runs/randread-1 data/runs/randread-2
