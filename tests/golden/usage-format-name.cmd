# a format that is near one, and one that is only read
osprof show --from bpftrac run || echo $?
osprof convert --to bpftrace run -o run.txt || echo $?
