for file in damaged bad-header bad-columns bad-more-columns bad-one-column bad-row bad-result bad-version bad-lost truncated \
	truncated-head without-signature; do
	osprof calls data/calls/$file.csv || echo "$file: status $?"
done
sed 's/,71,72,write,1,/,71,72,write,0,/' data/calls/good.csv | osprof calls - || echo "status $?"
sed 's/,71,72,write,1,/,71,4294967296,write,1,/' data/calls/good.csv | osprof calls - || echo "status $?"
sed 's/,3000,2900,/,3000,99999999999999999999,/' data/calls/good.csv | osprof calls - || echo "status $?"
sed 's/,3000,2900,/,3000,"2 900",/' data/calls/good.csv | osprof calls - || echo "status $?"
sed 's/"main (copy/main "(copy/' data/calls/good.csv | osprof calls - || echo "status $?"
osprof calls --max-input 600 data/calls/good.csv || echo "status $?"
osprof calls data/runs/randread-1/1.json || echo "status $?"
osprof calls data/calls/nowhere.csv || echo "status $?"
osprof calls --section sties data/calls/good.csv || echo "status $?"
osprof calls --top 0 data/calls/good.csv || echo "status $?"
osprof calls data/calls/good.csv data/calls/good.csv data/calls/good.csv || echo "status $?"
