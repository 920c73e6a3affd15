for section in summary blocking sites trends times; do
	echo "== $section"
	osprof calls --section $section --format csv data/calls/good.csv
done
echo "== CSV is one table"
osprof calls --format csv data/calls/good.csv
osprof calls --section sites,times --format csv data/calls/good.csv
