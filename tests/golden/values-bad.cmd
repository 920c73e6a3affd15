# no honest result: status 2
osprof values data/runs/getdents-latency.txt; echo "status $?"
printf 'op,latency_ns\nread,5\nread,7\n' >bare.csv; osprof values bare.csv; echo "status $?"
printf 'op,latency_ns,size\nread,5,1\nread,7,2\n' >few.csv; osprof values few.csv; echo "status $?"
printf 'op,latency_ns,size\nread,5\n' >short.csv; osprof values short.csv; echo "status $?"
osprof values --seed -1 few.csv; echo "status $?"
osprof values missing.csv; echo "status $?"
for i in $(seq 300); do printf '%s,1,2,5\n' $i; done | cat <(echo op,low,high,count) - >wide.csv; osprof values -q --unit plain wide.csv; echo "status $?"
