# status 2, and where the policy is wrong
try() { printf "$1" >gate.policy; osprof rank -q --policy gate.policy data/runs/randread-1/1.json data/runs/randread-2/2.txt; [ $? = 2 ] || echo "not refused: $1"; }
try 'min-effcet 0.3\n'
try 'operation read\n  min-effect lots\n'
osprof rank --policy missing.policy data/runs/randread-1/1.json data/runs/randread-2/2.txt
