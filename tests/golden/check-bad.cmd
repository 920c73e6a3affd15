# status 1: a total that the buckets do not allow
osprof check data/osprof/small.osprof
