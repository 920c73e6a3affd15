# more operations than a matrix has room for: groups and nearest neighbours
osprof distance -q --pairwise data/runs/grep-cold
osprof distance -q --pairwise --cluster-distance 0.2 -f markdown data/runs/grep-cold | tail -4
