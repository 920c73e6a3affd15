# of very many operations the most telling are drawn, and the page says so
{ printf 'osprof 1\nunit ns\n'; for i in $(seq 3000); do printf 'op "op%d"\n9 %d\n12 100\n' "$i" "$i"; done; } >a
osprof rank -q -f html -o page.html a a; grep -E '^<p>.*(more operations|drawn)' page.html; grep -c '<svg viewBox' page.html
[ "$(wc -c <page.html)" -lt 2000000 ] || echo "a large page"
