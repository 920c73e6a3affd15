printf "operation read\n  ignore\nfail any\n" >p
osprof aa -q --policy p --splits 4 data/runs/grep-cold
