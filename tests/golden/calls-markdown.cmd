osprof calls --format markdown data/calls/good.csv
