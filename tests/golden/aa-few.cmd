osprof aa -q data/runs/randread-1/1.json; echo "status $?"
osprof baseline -q data/runs/randread-1/1.json data/runs/randread-1/2.txt -o b.osprof; echo "status $?"
ls
