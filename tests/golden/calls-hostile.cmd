osprof calls --section summary,blocking,sites data/calls/hostile.csv
osprof calls --section summary,blocking,sites --format markdown data/calls/hostile.csv
osprof calls --section blocking --format csv data/calls/hostile.csv
osprof calls --section sites --format csv data/calls/hostile.csv
osprof calls --section summary,blocking --format json data/calls/hostile.csv
