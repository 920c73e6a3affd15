# operations by total latency, with percentiles as bucket bounds
osprof show data/runs/randread-2/2.txt
