# one run of another workload
osprof history --unit ns data/runs/nightly/1?.* data/runs/zeroread-1/1.json
