# a mistyped --op must not look like a run without differences; with --strict it is no pass
osprof rank --unit ns --exit-code --op lseeek data/runs/randread-1 data/runs/randread-2; echo status $?; osprof rank -q --unit ns --exit-code --strict --layer disk data/runs/randread-1/1.json data/runs/randread-2/1.json; echo status $?
