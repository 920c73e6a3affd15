osprof baseline -q --machine ci data/runs/randread-1 -o b.osprof
printf "min-effect 0.01\noperation lseek\n  min-effect 2\noperation clone\n  ignore\n" >p
osprof rank -q --machine "<else>" --policy p --format json b.osprof data/runs/randread-2/1.json | grep -E "replicated|judged_by|captured|baseline|name.:.*text|_floor"
osprof rank -q --machine "<else>" --policy p --format junit b.osprof data/runs/randread-2/1.json | tail -4
osprof rank -q --machine "<else>" --policy p --format markdown b.osprof data/runs/randread-2/1.json | head -8
osprof rank -q --machine "<else>" --policy p --format html b.osprof data/runs/randread-2/1.json | grep -o "<p>Careful.*"
osprof rank --machine "<else>" --policy p --format csv b.osprof data/runs/randread-2/2.txt >/dev/null
