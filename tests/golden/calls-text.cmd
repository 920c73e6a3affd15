osprof calls data/calls/good.csv
