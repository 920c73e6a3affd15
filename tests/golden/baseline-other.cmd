osprof baseline -q --machine ci data/runs/randread-1 -o b.osprof
osprof rank -q --machine ci b.osprof data/runs/grep-cold/1.json | grep Careful
sed "s/unit ns/unit cycles/" b.osprof >cycles.osprof
osprof rank -q cycles.osprof data/runs/randread-1/1.json; echo "status $?"
