# OSprof figure 8, and lseek of two processes: the resource decides, not the process
osprof values -q data/values/getdents.strace.xz
osprof values -q --op lseek data/values/lseek.calls.csv.xz
# a value profile: peaks are its operations
osprof values -q --unit plain data/runs/getdents-values.txt
