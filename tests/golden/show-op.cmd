# a shell pattern chooses operations; shares stay those of the run
osprof show -q --op '*seek' data/runs/randread-2/1.json
