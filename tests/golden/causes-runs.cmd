# Three runs a side, f of 1000 ns and g within it: 100, 110, 90 ns before, 200, 230, 210 after, and
# h, 50 ns, whatever the side. Student: t = 10.752, 4 degrees of freedom, p = 0.000424.
run() {
	echo start_ns,end_ns,tid,name
	for at in 10000 20000 30000 40000 50000; do
		echo "$at,$((at + 1050 + $1)),1,f"
		echo "$((at + 10)),$((at + 10 + $1)),1,g"
		echo "$((at + 500)),$((at + 550)),1,h"
	done
}
for g in 100 110 90 200 230 210; do run $g >$g.csv; done
osprof causes --function f --section causes 100.csv 110.csv 90.csv -- 200.csv 230.csv 210.csv
osprof causes --function f --format json 100.csv 110.csv 90.csv -- 200.csv 230.csv 210.csv | grep runs_q
osprof causes --function f --format json 100.csv -- 200.csv | grep -c runs_q
# A range adds edges to the trees of each run and to their sum.
osprof causes --function f --section causes --range 1100ns: 100.csv 110.csv 90.csv -- 200.csv 230.csv 210.csv
