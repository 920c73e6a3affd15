# seven runs
osprof history --unit ns data/runs/nightly/[1-7].*
