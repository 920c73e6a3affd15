# of 201 operations the most telling: all but the last
{ printf 'osprof 1\nunit ns\n'; for i in $(seq 201); do printf 'op op%d\n8 100\n' $i; done; } >a
{ printf 'osprof 1\nunit ns\n'; for i in $(seq 201); do printf 'op op%d\n10 100\n' $i; done; } >b
osprof explain a b --op '*' | grep -c '^op'
osprof explain -q a b --op '*' | grep -o '^op20[01]'
osprof explain -q a b --op 'op201' | grep -o '^op201'
