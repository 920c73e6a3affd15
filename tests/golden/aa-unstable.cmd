# One outlier run, two kinds of runs, drift, and few calls; hostile names.
for k in 1 2 3 4 5 6 7 8; do
	odd=$((k == 5 ? 3000 : 2000 + k)) two=$((k % 2 ? 3000 + k : 2000 - k))
	calls=$((k == 2 ? 4000 : 1000)) drift=$((2000 + 150 * k))
	printf "osprof 1\nunit ns\nop odd\ncount 1000\ntotal %d\nop \"two\\\\x1b[2J\"\ncount 1000\ntotal %d\n" \
		$((odd * 1000)) $((two * 1000)) >r$k.osprof
	printf "op calls\ncount %d\ntotal %d\nop drift\ncount 1000\ntotal %d\nop few\ncount 20\ntotal 200000\n" \
		$calls $((calls * 2000)) $((drift * 1000)) >>r$k.osprof
done
osprof aa -q r?.osprof
osprof aa -q --format markdown r?.osprof | grep odd
