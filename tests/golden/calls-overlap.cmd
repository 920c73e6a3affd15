# lseek waits for the other process's read: direction from per-call records
osprof calls -q --section overlap data/values/lseek.calls.csv.xz
osprof calls -q --section overlap -f csv --op lseek data/values/lseek.calls.csv.xz
osprof calls -q --section overlap -f markdown --op lseek data/values/lseek.calls.csv.xz
osprof calls -q --section overlap -f json --op lseek data/values/lseek.calls.csv.xz
osprof calls -q --section overlap data/calls/forks.csv
