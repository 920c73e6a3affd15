# One capture as sysdig prints it with several options: the same profile.
for f in data/sysdig/haproxy*.txt; do
	osprof convert -q --to osprof "$f" > "$(basename "$f")"
done
for f in haproxy-*.txt; do cmp haproxy.txt "$f" && echo "$f"; done
osprof show data/sysdig/haproxy.txt
osprof show data/sysdig/deltas.txt; echo "status $?"
