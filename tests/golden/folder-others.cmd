# what is no run is left out of a folder of runs, with a note
mkdir runs; cp data/runs/clone-1/*.json runs; osprof show -q runs | head -1
printf 'Runs of Tuesday.\n\n1 read 2\n' >runs/README; printf '\211PNG\r\n\032\n\0\0' >runs/plot.png
printf 'make: nothing to be done\n' >runs/build.log; printf '{"host": "mail", "cpus": [1, 2]}\n' >runs/machine.json
printf '#!/bin/sh\nbpftrace x.bt\n' >runs/run.sh; printf 'PERFILE2\0\0\0' >runs/perf.data
osprof show runs | head -1
osprof rank runs runs | head -2
osprof history runs 2>&1 | head -2
# a document is left out even where it quotes a run
(echo '# How'; cat data/runs/clone-1/1.json) >runs/NOTES.md; osprof show -q runs | head -1
# but a damaged run is an error: by its content, its name, its beginning, or being empty
bad() { mkdir $1; cp data/runs/clone-1/*.json $1; cat >$1/$2; osprof show $1; echo "status $?"; }
head -c 300 data/runs/clone-1/1.json | bad truncated other.json
printf 'Segmentation fault\n' | bad named 17.json
printf '<html><body>502 Bad Gateway</body></html>\n' | bad html 9.json
head -1 data/runs/clone-1/1.json | bad begun other.txt
: | bad empty other.json
printf '{"host": ' | bad json machine.json
printf 'run\0\0\0\0\n' | bad zeros other.json
printf 'BZh91AY&SY\0\001' | bad packed other.bz2
# messages of a command that had none, and what a program left in binary
mkdir beside; cp data/runs/clone-1/*.json beside; : >beside/1.err; printf '\0\001\002' >beside/samples.raw
printf '[main]\nverbose\n' >beside/tool.ini; osprof show beside | head -1
# a user who names the file means it
osprof merge -o out.osprof runs/1.json runs/build.log; echo "status $?"
# nothing but what is no run
mkdir none; cp runs/README runs/plot.png none; osprof show none; echo "status $?"
# the folder of another tool's recording
mkdir uftrace.data; printf 'Ftrace!\0\004\0' >uftrace.data/info; echo 'SESS timestamp=1 pid=1' >uftrace.data/task.txt
cp data/runs/clone-1/1.json uftrace.data; osprof show uftrace.data; echo "status $?"
