# one operation only, judged among all
osprof history -q --unit ns --format json --op write data/runs/nightly
