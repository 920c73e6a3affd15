# In turns beside two busy loops: runs that say when they began are compared in their order.
# R's gls() gives a shift of 0.2189350, error 0.0608437 (times 1.8595 for 90 %), as in tests/oracle/run_order.R.
osprof rank -q data/stories/pages-busy-1/before data/stories/pages-busy-1/after | sed -n '4,9p'
mkdir before after
for side in before after; do
	for run in data/stories/pages-busy-1/$side/*; do
		grep -v '^started' "$run" >$side/${run##*/}
	done
done
for sides in 'data/stories/pages-busy-1/before data/stories/pages-busy-1/after' 'before after'; do
	osprof rank -q --op pread --format json $sides |
		grep -o '"order_used": [a-z]*\|"shift[_a-z]*": [-0-9.]*\|"captured_after".*'
done
