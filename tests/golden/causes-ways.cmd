# The paper's arithmetic, time alone, other calls, subtracted overhead, callers.
osprof causes data/causes/shop.data --function handle --method maxcount --section causes
osprof causes data/causes/shop.data --function handle --method time --section causes
osprof causes data/causes/shop.data --function handle --range 1ms: --against others --section causes
osprof causes data/causes/shop.data --function 'find_*' --overhead auto --section causes
osprof causes data/causes/shop.data --function load_file --within handle --section causes
osprof causes -q data/causes/shop.data
# A request that is handed over: the largest contributor is the waiting, as DARC would measure it.
osprof causes data/causes/handover.dump.txt.xz --function request --range 300us: --link enqueue:1=serve:1 --method maxcount --section causes
