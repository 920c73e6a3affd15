# One recording of perf, by perf script and by way of CTF; one trace as babeltrace prints it with
# several options: the same profiles.
for f in data/perf-script/twin-of-ctf.txt data/babeltrace/perf-6.1.txt data/babeltrace/ust-fast*.txt; do
	osprof convert -q --to osprof "$f" | grep -v '^#' > "$(basename "$f")"
done
cmp twin-of-ctf.txt perf-6.1.txt && grep -c '^op ' perf-6.1.txt
for f in ust-fast-*.txt; do cmp ust-fast.txt "$f" && echo "$f"; done
grep -c '^op ' ust-fast.txt
