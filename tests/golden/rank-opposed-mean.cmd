# each call faster, a few slow ones in the mean: the sentence says both
osprof rank -q --unit ns --op fcntl data/runs/grep-cold data/runs/grep-warm
