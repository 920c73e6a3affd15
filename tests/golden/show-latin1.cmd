# a locale that is not UTF-8 gets ASCII
LC_ALL=C osprof show -q data/runs/zeroread-2/1.json
