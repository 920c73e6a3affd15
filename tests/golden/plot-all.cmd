# a figure for each reported operation, and a page; hostile names do not leave the folder
printf '%s\n' 'osprof 1' 'unit ns' 'op "read"' 'total 3000000' '8 4000' '9 3000' 'op "../../etc/`touch pwned`"' '9 5000' 'op "<script>alert(1)</script>"' '9 4000' 'op "quiet"' '9 500' 'op "" ' '9 4000' >a
sed 's/^9/13/; s/total 3/total 24/' a | sed '/quiet/{n;s/13/9/}' >b
osprof plot -q --all a b -o pages; echo "status $?"; find pages | LC_ALL=C sort
if command -v xmllint >/dev/null; then xmllint --noout pages/index.html; fi
grep -ciE '<script|http:|https:|<link' pages/index.html
grep -oE '(src|href)="[^"]*"' pages/index.html | sort | uniq -c
sed -n '/<h2>What changed/,$p' pages/index.html
# another kind, as SVG; nothing is written over; nothing is reported
osprof plot -q --all shift a b -o shifts --terminal svg && ls shifts
osprof plot -q --all a b -o pages; echo "status $?"
osprof plot -q --all a a -o same && ls same && grep 'No operation differs' same/index.html
# what cannot be
osprof plot -q --all a b; echo "status $?"
osprof plot -q --all a -o one; echo "status $?"
osprof plot -q --all mix a b -o mixes; echo "status $?"
osprof plot -q --all a b -o a/b; echo "status $?"
OSPROF_GNUPLOT=none osprof plot -q --all a b -o scripts; echo "status $?"; ls scripts
