# repeated runs are added up
osprof show -q data/runs/randread-2
