# The same program with a cache: one site is new, one gone, one faster.
sed 's/copy.c:44 spill/copy.c:45 cached/; s/,9000000,50000,/,900000,50000,/; s/,8950000,file,8990000/,850000,file,890000/' \
	data/calls/good.csv >after.csv
osprof calls data/calls/good.csv after.csv
echo "== two runs against one, in CSV"
osprof calls --section sites --format csv data/calls/good.csv data/calls/good.csv -- after.csv
osprof calls --section blocking --format csv data/calls/good.csv data/calls/good.csv -- after.csv
osprof calls --section times --op fsync --format csv data/calls/good.csv after.csv
osprof calls --section sites --op fsync --format json data/calls/good.csv after.csv
osprof calls --section sites --op fsync --format markdown data/calls/good.csv after.csv
echo "== which is said"
osprof calls --section summary data/calls/good.csv data/calls/good.csv -- after.csv | grep ', .*:$'
