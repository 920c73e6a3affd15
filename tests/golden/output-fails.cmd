printf 'osprof 1\nunit ns\nop read\n8 4000\n9 3000\n' >a
mkdir folder
# a full disk, by each way out
osprof show -q a >/dev/full; echo "status $?"
osprof show -q -f json a >/dev/full; echo "status $?"
osprof convert -q a -o /dev/full; echo "status $?"
osprof rank -q a a -f html -o /dev/full; echo "status $?"
osprof formats >/dev/full; echo "status $?"
# standard output is closed
osprof show -q a >&-; echo "status $?"
# a folder is no file, with and without --force; a file is no folder
osprof convert -q a -o folder; echo "status $?"
osprof merge -q --force a -o folder/; echo "status $?"
osprof plot -q --all a a -o a; echo "status $?"
ls
