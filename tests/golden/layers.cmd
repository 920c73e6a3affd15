# 40,000 reads of which each is one block request: 17.7 us a call above it
osprof layers --unit ns data/runs/layers.json
osprof layers -q --unit ns --op 'syscall/read' -f json data/runs/layers.json | grep -E '"(self|self_per_call|below|how)"|"RS"'
# 200 us more in 6,000 of them, above the disk
osprof layers -q --unit ns data/runs/layers.json data/layers/above-block.json | grep :\ block
osprof layers -q --unit ns --op read -f csv data/runs/layers.json data/layers/above-block.json
osprof layers -q --unit ns --op read -f json data/runs/layers.json data/layers/above-block.json | grep explanation
# the same, stated
osprof layers -q --nest 'read>block' --unit ns --op read -f csv data/runs/layers.json
osprof layers -q --nest 'block>syscall' --unit ns data/runs/layers.json; echo $?
osprof layers -q --nest none --unit ns data/runs/layers.json; echo $?
osprof show -q --nest 'syscall>block>syscall' --unit ns data/runs/layers.json; echo $?
osprof show --nest 'syscall>disk' --unit ns data/runs/layers.json >out; head -1 out
