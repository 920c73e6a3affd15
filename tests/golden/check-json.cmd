# 
osprof check -q -f json data/osprof/small.osprof
