# A process that grows before each fork, and a pipeline.
osprof calls --top 5 data/calls/forks.csv
osprof calls --section summary,blocking,sites --top 8 data/calls/pipes.csv
osprof calls --section blocking --format csv data/calls/pipes.csv
osprof show --op 'fork' data/calls/forks.csv
