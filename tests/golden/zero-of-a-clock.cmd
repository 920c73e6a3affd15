# By a clock of milliseconds: 0 to 1 is one octave, half of the calls from 0 to 1 half of one.
head='starttime\tseconds\tctime\tdtime\tttime\twait'
request() { printf 'Sun Nov 22 20:25:57 2026\t1795379157\t0\t%s\t%s\t0\n' $1 $1; }
{ echo -e "$head"; for i in 1 2 3 4; do request 0; done; } >zeros.tsv
{ echo -e "$head"; for i in 0 0 1 1; do request $i; done; } >half.tsv
{ echo -e "$head"; for i in 1 2 3 4; do request 1; done; } >ones.tsv
osprof distance -q -m emd zeros.tsv ones.tsv
osprof distance -q -m emd zeros.tsv half.tsv
osprof show -q -f csv half.tsv
# Nobody says what this clock's steps are, but all are whole.
(echo op,latency_ms; printf 'x,%s\n' 0 0 0 1) >a.csv
(echo op,latency_ms; printf 'x,%s\n' 1 1 1 1) >b.csv
osprof distance -q -m emd a.csv b.csv
