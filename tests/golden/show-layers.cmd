# several maps are layers
osprof show -q --unit ns --layer block data/runs/layers.json
