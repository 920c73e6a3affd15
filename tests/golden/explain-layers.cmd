# a peak of a system call and the block requests below it; kept peaks of a named operation are described
osprof explain --unit ns --op getdents64 data/runs/layers-grep.json data/runs/layers-grep.json
osprof explain -q --unit ns --op read --layer syscall data/runs/layers.json data/runs/layers-grep.json
osprof explain -q --op read --layer syscall data/runs/layers-grep.json data/runs/layers-grep.json | tail -1
