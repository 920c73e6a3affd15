# many warnings of one kind are one: of operations of a file, and of files
mkdir runs
for f in 1 2 3; do
	{ echo 'osprof 1'; echo 'unit ns'
	for op in read write lseek open close stat; do printf 'op %s\ncount 7\ntotal 1\n9 5\n' $op; done; } >runs/$f.osprof
done
osprof show -q runs/1.osprof | head -1
osprof show runs/1.osprof | head -1
osprof show runs | head -1
# what is printed for one alone
printf 'osprof 1\nunit ns\nop read\ncount 5\ntotal 1\n9 5\nop write\ncount 5\n9 5\n' >one; osprof show one | head -1
