# 
osprof show -f junit data/osprof/small.osprof
