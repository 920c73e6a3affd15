# the script of a small figure, to standard output's neighbour: x.gp alone
printf 'osprof 1\nunit ns\nop "read"\ntotal 3000000\n8 4000\n9 3000\n12 1\nop "open"\n12 1\n' >a
printf 'osprof 1\nunit ns\nop "read"\ntotal 9000000\n8 4000\n9 3000\n12 900\nop "close"\n12 2\n' >b
osprof plot -q --op read a b -o read.gp && cat read.gp && ls
# it is the same beside a figure, but for the name that it writes
osprof plot -q --op read a b -o x.png && sed 's/x[.]png/read.png/' x.gp | cmp - read.gp && ls
# nothing is written over
osprof plot -q --op read a b -o x.png; echo "status $?"
osprof plot -q --op read a b -o x.png --force; echo "status $?"
