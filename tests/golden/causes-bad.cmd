# What cannot be answered, and what to do.
osprof causes data/causes/shop.data --function handel; echo status $?
osprof causes data/causes/shop.data --function '*_*'; echo status $?
osprof causes data/causes/shop.data --function handle --peak 9; echo status $?
osprof causes data/causes/shop.data --function handle --range 5s:; echo status $?
osprof causes data/causes/shop.data --function main --within handle; echo status $?
osprof causes data/strace/empty.txt --function read; echo status $?
osprof causes data/causes/shop.data --function handle --format csv --section tree,values; echo status $?
osprof causes data/causes/shop.data --function handle --range 2:1; echo status $?
osprof causes data/causes/shop.data --function handle --link a=b; echo status $?
