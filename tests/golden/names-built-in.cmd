# names of system calls without a file, as those of the file
osprof show -q --names x86_64 data/runs/by-number.json >a; osprof show -q --names data/names/x86_64-syscalls.txt data/runs/by-number.json >b
cmp a b && head -4 a
# what the capture itself says: perf script --header, uname -a before it; --names goes before
osprof show data/perf-script/raw-header.txt | head -4
osprof show -q data/perf-script/raw.txt | sed -n 3,4p
osprof show -q data/bpftrace/by-number-uname.txt | sed -n 3,4p
osprof show -q --names i386 data/perf-script/raw-header.txt | sed -n 3,4p
# our own format, by the kernel's line
printf 'osprof 1\nunit ns\nkernel Linux 6.1.0 aarch64\nlayer syscall\nop 63\n9 1\nlayer block\nop 7\n9 1\n' >own; osprof show -q own | tail -n +3
# a file of that name goes before, and what is neither is an error
echo '9 my_name' >x86_64; osprof show -q --names x86_64 data/perf-script/raw.txt | sed -n 4p
osprof show --names pdp11 own; osprof show --names ./aarch64 own; echo "status $?"
osprof completion bash | grep -A0 -e '--names)'; osprof completion zsh | grep -m1 -e '--names\[' ; osprof completion fish | grep -m1 -e '-l names'
