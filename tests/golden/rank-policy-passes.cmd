# status 0: nothing of what failed without the policy fails with it
printf 'operation read\n  fail none\noperation lseek\n  fail improved\n' >gate.policy
osprof rank -q --exit-code data/runs/randread-1/1.json data/runs/randread-2/2.txt >all; echo $?
osprof rank -q --exit-code --policy gate.policy data/runs/randread-1/1.json data/runs/randread-2/2.txt | grep Gate
