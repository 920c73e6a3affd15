# Two versions of a program, and several runs a side.
osprof causes data/causes/shop.dump.txt.xz data/causes/shop2.dump.txt.xz --function handle
osprof causes --function handle --section causes data/causes/shop.dump.txt.xz data/causes/shop.data -- data/causes/shop2.dump.txt.xz
