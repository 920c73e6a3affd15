# tar with other blocks from run 15 on; run 8 beside other programs
osprof history -q --unit ns data/runs/nightly
