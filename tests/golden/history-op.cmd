# no operation has this name
osprof history --unit ns --op nothing data/runs/nightly
