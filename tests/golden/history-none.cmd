# nothing is left
osprof history -q --unit ns --op nothing data/runs/nightly; osprof history --unit ns --recent 0 data/runs/nightly
