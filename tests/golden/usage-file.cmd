# Files without a command.
osprof data/runs/randread-1/1.json data/runs/randread-2/1.json; echo "status $?"
osprof data/runs/randread-1; echo "status $?"
osprof no-such-thing; echo "status $?"
