# A tree that was kept is read like the trace it is of.
osprof causes data/causes/shop.data --function handle -o shop.tree -q >once
osprof causes shop.tree -q >again && cmp once again && head -4 shop.tree
osprof show -q shop.tree
osprof causes shop.tree --function other; echo status $?
head -c 3000 shop.tree >cut; osprof causes cut; echo status $?
