# in the order of a shell, and with fewer than twenty
osprof history --unit ns data/runs/nightly/1?.* data/runs/nightly/[2-6].*
