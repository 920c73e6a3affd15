# lseek's median is 256 times higher at least, from the end of its bucket on; read's lies in the same one
printf 'fail none\nmax-p50 10%%\noperation read\n  max-p99 0\n' >gate.policy
osprof rank -q --unit ns --exit-code --policy gate.policy data/runs/randread-1/1.json data/runs/randread-2/2.txt
