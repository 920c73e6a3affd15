# written for others; what they cannot hold is said
osprof convert data/osprof/untimed.osprof -o x.prom && cat x.prom
osprof show -q -f csv x.prom | cut -d, -f2-7
osprof convert data/fio/jsonplus.json --op 'mail/sync' --to hgrm -o x.hgrm && tail -2 x.hgrm
osprof show -q -f csv --unit ns x.hgrm | cut -d, -f2-7
osprof convert data/fio/jsonplus.json -o all.hgrm; echo "status $?"; ls
