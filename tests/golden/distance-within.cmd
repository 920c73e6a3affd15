# between operations of one run
osprof distance -q --pairwise -m ks --op '*a*' data/runs/randread-2/1.json
