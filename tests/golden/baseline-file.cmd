osprof baseline --machine "Board 7" --unit ns data/runs/zeroread-1
osprof baseline -q --unit ns data/runs/zeroread-1 -o a.osprof
osprof baseline -q --unit ns a.osprof | diff a.osprof -
