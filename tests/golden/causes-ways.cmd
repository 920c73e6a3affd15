# The paper's arithmetic, time alone, other calls, subtracted overhead, callers.
osprof causes data/causes/shop.data --function handle --method maxcount --section causes
osprof causes data/causes/shop.data --function handle --method time --section causes
osprof causes data/causes/shop.data --function handle --range 1ms: --against others --section causes
osprof causes data/causes/shop.data --function 'find_*' --overhead auto --section causes
osprof causes data/causes/shop.data --function load_file --within handle --section causes
osprof causes -q data/causes/shop.data
