# numbers become names
osprof show -q --names data/names/x86_64-syscalls.txt data/runs/by-number.json
