osprof calls --format json data/calls/good.csv
