# What chosen operations contribute is among themselves, and of one alone nothing.
osprof rank -q --unit ns --op 'lseek' data/runs/randread-1/1.json data/runs/randread-2/1.json | grep '^lseek'
osprof rank -q --unit ns --op '[lr]*' data/runs/randread-1/1.json data/runs/randread-2/1.json | grep '^[a-z]*:'
osprof rank -q --unit ns data/runs/randread-1/1.json data/runs/randread-2/1.json | grep '^[a-z]*:'
