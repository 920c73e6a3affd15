osprof rank --quantiles 50,101 data/runs/randread-1/1.json data/runs/randread-2/2.txt
