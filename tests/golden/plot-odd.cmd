# one bucket, no bucket, summary statistics only, counts from 1 to 1e9, open ends, very many operations
size() { od -An -tx1 -j16 -N8 "$1"; } # width and height of a PNG
{ printf 'osprof 1\nunit ns\nop one\n9 1\nop wide\n'; n=1; for b in $(seq 5 4 44); do printf '%d %d\n' "$b" "$n"; n=$((n * 10)); done; printf 'op summary\ncount 5\ntotal 100\nop empty\n'; } >a
for k in histogram latency cumulative percentiles mix; do
	osprof plot -q $k a --op '*' -o $k.png && size $k.png || echo "$k failed"
done
for k in difference shift distances ranking; do
	osprof plot -q $k a a --op '*' --min-share 0 -o $k.png && size $k.png || echo "$k failed"
done
osprof plot -q a --op empty -o - | tail -n +2 | grep -o 'no calls in buckets'
osprof plot -q a --op nothing -o nothing.png; echo "status $?"
osprof plot -q values a -o values.png; echo "status $?"
osprof plot -q histogram a a a --op wide -o three.svg && grep -c . three.svg >/dev/null && ls
osprof plot -q data/csv/buckets-open.csv -o ends.png && grep -o "below\|zero\|above" ends.gp | sort -u
