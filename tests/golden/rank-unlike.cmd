# two workloads: nothing that matters to one is in the other
osprof rank --unit ns data/runs/zeroread-1/1.json data/runs/clone-1/1.json | head -4
# a run of another workload among repeated ones
mkdir mixed; cp data/runs/zeroread-1/[12].* data/runs/clone-1/3.json mixed
osprof rank --unit ns mixed data/runs/zeroread-2 | head -4
osprof explain --unit ns data/runs/zeroread-1/1.json mixed/3.json >/dev/null
osprof distance --unit ns data/runs/zeroread-1/1.json mixed/3.json >/dev/null
osprof show --unit ns mixed >/dev/null
# chosen operations say nothing of the workload
osprof rank --unit ns --op clone data/runs/zeroread-1/1.json data/runs/clone-1/1.json >/dev/null
# added up on purpose
osprof merge --unit ns mixed -o sum.osprof
