# a matrix; the seek's shape nears that of the read it waits for
osprof distance -q --within data/runs/randread-2
osprof distance -q --within -f markdown --alike 1.2 --op '[lr]*' data/runs/randread-2
osprof distance -q --within -f csv --op '[lr]*' data/runs/randread-2
osprof distance -q --within -f json --op '[clr]*' data/runs/randread-2
osprof distance -q --within -m chi_square --op '[lr]*' data/runs/randread-2 | tail -1
osprof distance -q --within --op none data/runs/randread-2
