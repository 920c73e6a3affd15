# of 2001 operations the one of least latency, the second, is left out
{ printf 'osprof 1\nunit ns\n'; for i in $(seq 2001); do printf 'op op%d\n8 %d\n' $i $((i == 2 ? 1 : 3)); done; } >a
osprof distance --pairwise a | tail -n +3 | wc -l
osprof distance -q --pairwise a | grep 'op2 '
osprof distance -q --pairwise a -f json | grep left_out
osprof distance -q --pairwise a --op 'op[12]' -f json | grep left_out
