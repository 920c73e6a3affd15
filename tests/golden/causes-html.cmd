# One page that needs nothing else; names that HTML would act upon are text.
look() {
	osprof causes -q -f html "$@" >page.html
	if command -v xmllint >/dev/null; then xmllint --noout page.html; fi
	for tag in html head body table tr td th svg g text rect div p h1 h2 h3 title; do
		opened=$(grep -oE "<$tag[ >]" page.html | wc -l)
		closed=$(($(grep -o "</$tag>" page.html | wc -l) + $(grep -oE "<$tag [^>]*/>" page.html | wc -l)))
		[ "$opened" = "$closed" ] || echo "$tag: $opened opened, $closed closed"
	done
	grep -ciE '<script|http:|https:|<link|<img|<svg on' page.html
}
look data/causes/shop.data --function handle
sed -n '/<body>/,/<h2>Where/p' page.html
grep -c '<rect' page.html
look data/causes/shop.dump.txt.xz data/causes/shop2.dump.txt.xz --function handle
grep -E '<h[123]' page.html
printf '%s\n' start_ns,end_ns,tid,name '0,1000,1,<script>f&' '100,900,1,"a""b]]><img src=x>"' >calls.csv
look calls.csv --function '<script>f&'
grep -E '<title>|<h1|<text' page.html
osprof causes -f html data/causes/shop.data; echo status $?
# The page of a comparison of two traces has the causes of what it reports.
osprof rank -q -f html data/causes/shop.dump.txt.xz data/causes/shop2.dump.txt.xz >page.html
if command -v xmllint >/dev/null; then xmllint --noout page.html; fi
sed -n '/<h4>Causes/,/<table>/p' page.html
osprof rank -q -f html data/runs/randread-1 data/runs/randread-2 | grep -c '<h4>Causes'
