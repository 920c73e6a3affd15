# a matrix; the seek's shape nears that of the read it waits for
osprof distance -q --pairwise data/runs/randread-2
osprof distance -q --pairwise -f markdown --cluster-distance 1.2 --op '[lr]*' data/runs/randread-2
osprof distance -q --pairwise -f csv --op '[lr]*' data/runs/randread-2
osprof distance -q --pairwise -f json --op '[clr]*' data/runs/randread-2
osprof distance -q --pairwise -m chi_square --op '[lr]*' data/runs/randread-2 | tail -1
osprof distance -q --pairwise --op none data/runs/randread-2
