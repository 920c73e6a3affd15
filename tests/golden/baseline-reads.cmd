osprof baseline -q data/runs/randread-1 -o b.osprof
osprof show -q b.osprof | head -5
osprof check -q b.osprof | head -2
osprof explain -q --op lseek b.osprof data/runs/randread-2/1.json | grep -E "Careful|lseek"
osprof convert -q b.osprof | diff - <(osprof merge -q data/runs/randread-1) && echo same
osprof convert b.osprof -o sum.osprof 2>&1 | grep not-representable
osprof aa -q b.osprof | tail -n +2 | diff - <(osprof aa -q data/runs/randread-1 | tail -n +2) && echo same
osprof rank -q b.osprof data/runs/randread-1/1.json -o - >/dev/null && osprof baseline -q data/runs/randread-1 -o b.osprof; echo "status $?"
