# more operations than a matrix has room for: groups and nearest neighbours
osprof distance -q --within data/runs/grep-cold
osprof distance -q --within --alike 0.2 -f markdown data/runs/grep-cold | tail -4
