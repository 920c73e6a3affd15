# hostile names, summary statistics only, odd buckets, nothing at all: well-formed, no script
check() {
	osprof rank -q --exit-code=any --min-share 0 -f html -o page.html --force "$@"
	if command -v xmllint >/dev/null; then xmllint --noout page.html; fi
	for tag in html head body table tr td th svg g text path section details summary div p span a h2 h3 title pattern; do
		opened=$(grep -oE "<$tag[ >]" page.html | wc -l)
		closed=$(($(grep -o "</$tag>" page.html | wc -l) + $(grep -oE "<$tag [^>]*/>" page.html | wc -l)))
		[ "$opened" = "$closed" ] || echo "$tag: $opened opened, $closed closed"
	done
	grep -ciE '<script|http:|https:|<link|<img|<svg on' page.html
	LC_ALL=C tr -cd '\001-\010\013-\037\177' <page.html | wc -c
	osprof rank -q --min-share 0 --exit-code=any -f html "$@" | cmp - page.html
}
printf 'osprof 1\nunit ns\nop "<script>alert(1)</script>"\n9 5000\nop "a\\x1b[31mred\\n|<&>\\"'"'"'"\n9 5000\nop "\\xff\\xfe=1+1 \\xe2\\x80\\xae"\n9 4000\nop ""\n9 10\n' >a
printf 'osprof 1\nunit ns\nop "<script>alert(1)</script>"\n29 5000\nop "--><svg onload=alert(1)>"\n3 9\n' >b
check a b; check b a; check a a
check data/runs/layers-grep.json data/runs/layers.json
check data/runs/randread-1 data/runs/randread-2 -- data/runs/grep-cold data/runs/grep-warm
check --op nothing a b
grep -c 'There is no operation' page.html
