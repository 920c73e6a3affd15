# One call of fread: no tick stands between two calls, and its latency has more than one.
osprof plot -q calls --op fread data/calls/pipes.csv -o calls.png; grep -E '^set [xy]tics' calls.gp
# Intervals without times.
osprof plot -q timeline data/bpftrace/repeated-without-times.txt -o three.png; grep -E '^set xtics' three.gp
# What a figure leaves out: a folder of figures is of what was compared.
osprof plot --unit ns --op '*' data/runs/layers-grep.json -o one.png
osprof plot --unit ns --op "*" data/runs/layers-grep.json data/runs/layers.json -o two.png 2>&1 | grep figure-part
