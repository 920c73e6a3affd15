# the page of a small case
printf 'osprof 1\nunit ns\nop "read"\ntotal 3000000\n8 4000\n9 3000\nop "open"\n12 1\n' >a
printf 'osprof 1\nunit ns\nop "read"\ntotal 9000000\n8 4000\n9 3000\n12 900\nop "close"\n12 2\n' >b
printf 'operation read\n  min-effect 0.2\n' >gate.policy
osprof rank -q -f html --policy gate.policy a b
