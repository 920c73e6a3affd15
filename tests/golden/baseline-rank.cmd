osprof baseline -q --machine ci data/runs/randread-1 -o b.osprof
osprof rank -q --exit-code --machine ci b.osprof data/runs/randread-2/1.json
echo "status $?"
osprof rank -q --exit-code --machine ci b.osprof data/runs/randread-1/3.json
echo "status $?"
osprof rank -q --machine ci b.osprof data/runs/randread-2 | head -8
