# the JSON of show, two runs
osprof show -q -f json data/osprof/small.osprof data/runs/zeroread-1/1.json
