# one run by itself: whose peaks look alike
osprof explain -q data/runs/randread-2
osprof explain -q -f json --op lseek data/runs/randread-2/1.json | head -40
osprof explain -q --op lseek data/values/lseek.calls.csv.xz
