# The function that makes the slow calls slow, of one run in four formats.
osprof causes data/causes/shop.data --function handle
osprof causes data/causes/shop.dump.txt.xz --function handle --section causes
osprof causes data/causes/shop.chrome.json.xz --function handle --section causes
osprof causes data/causes/shop.replay.txt.xz --function handle --section causes
