# What is left out, and why: timers, events of threads that nothing names, of times that go back.
osprof show data/babeltrace/awkward.txt
osprof show data/babeltrace/no-threads.txt; echo "status $?"
osprof show data/babeltrace/no-names.txt; echo "status $?"
osprof show --from babeltrace data/babeltrace/cycles.txt; echo "status $?"
osprof show -q data/babeltrace/hosts.txt
