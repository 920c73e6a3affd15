# repeated runs, pooled
osprof rank -q data/runs/randread-1 data/runs/randread-2
