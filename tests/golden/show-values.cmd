# a value profile has plain numbers
osprof show -q --unit plain data/runs/getdents-values.txt
