# every command on a file of every format that is read
for f in data/osprof/untimed.osprof data/bpftrace/linear.txt data/bpftrace/linear.json \
	data/bcc/biolatency-T-D.txt data/csv/buckets.csv data/csv/samples.csv data/plain/osprof-option.txt \
	data/fio/jsonplus.json data/fio/log_clat.1.log data/fio/coarse6_clat_hist.1.log data/fio/terse-v5.txt \
	data/hlog/words.hlog data/hgrm/processor.csv data/wrk/wrk2-uncorrected.txt data/ycsb/raw.csv \
	data/google-benchmark/table.csv data/prometheus/two-scrapes.prom data/otlp/delta.ndjson \
	data/rt-tests/cyclictest-h.txt data/rt-tests/cyclictest.json data/rt-tests/oslat.txt \
	data/rt-tests/hwlatdetect-watch.txt; do
	[ -e "$f" ] || echo "missing: $f"
	for c in "show $f" "peaks $f" "distance $f $f" "distance --pairwise $f" "rank $f $f" "explain --op=* $f $f" \
		"check $f" "convert $f --force -o x.osprof" "convert $f --force -o x.csv" \
		"merge $f $f --force -o y.osprof" "show -f json $f" "rank -f junit $f $f"; do
		osprof $c -q --numbering osprof --unit us >out 2>err || echo "$c: status $?: $(head -1 err)"
		[ -s out ] || [ -s x.osprof ] || echo "$c: nothing"
	done
done
