# no buckets, but counts and totals
osprof show data/papers/fsprof-table1.osprof
