osprof calls --section summary,sites --op 'r*' data/calls/lost.csv
osprof calls --section sites,blocking,times --top 1 data/calls/good.csv
osprof calls --section sites --op nothing data/calls/good.csv
osprof calls data/calls/empty.csv
osprof calls --section sites data/calls/empty.csv
