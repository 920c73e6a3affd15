# - is standard input
osprof show -q - <data/runs/zeroread-1/2.txt
