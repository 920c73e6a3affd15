# finer buckets put on coarser ones
printf 'osprof 1\nbuckets log2 4\nop a\n16 1\n17 2\n19 4\n20 8\n' | osprof convert -q -r 1 - | tail -n +2; printf 'osprof 1\nop a\n4 8\n' | osprof convert -r 2 - | tail -n +2
