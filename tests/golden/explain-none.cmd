# nothing to tell of
osprof explain -q data/runs/zeroread-1/1.json data/runs/zeroread-1/3.json
osprof explain -q --op nothing data/runs/zeroread-1/1.json data/runs/zeroread-1/3.json
osprof explain --op nothing -f json data/runs/zeroread-1/1.json data/runs/zeroread-1/3.json
