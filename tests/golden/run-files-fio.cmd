# the logs of one run of fio are one run, its jobs added up; awk counts the same
sums() { cat "$@" | awk -F', ' '{ n[$3]++; t[$3] += $2 } END { for (d in n) print d, n[d], t[d] }' | sort; }
for kind in clat lat slat; do echo $kind; sums data/run-files/fio-4k/x_$kind.*.log; done
osprof show -f csv -q data/run-files/fio-4k | cut -d, -f1-6
# one log for all jobs (per_job_logs=0)
for kind in clat lat; do echo $kind; sums data/run-files/fio-shared/x_$kind.log; done
osprof show -f csv data/run-files/fio-shared | cut -d, -f1-6
# sections of a job file: jobs 1 and 2 of one run, named by section
for f in data/run-files/fio-sections/*_lat.*.log; do echo ${f##*/}; sums $f; done
osprof show -f csv -q --layer lat data/run-files/fio-sections | cut -d, -f1-6
# with log_avg_msec the logs hold means, and the histograms count
osprof show data/run-files/fio-averaged
# several runs in one folder, by prefix; each prefix by itself
osprof show data/run-files/fio-runs
osprof rank -q data/run-files/fio-runs/a_* -- data/run-files/fio-runs/b_* | head -2
# two runs
osprof rank -q data/run-files/fio-4k data/run-files/fio-64k | head -2
osprof rank -q -f json data/run-files/fio-4k data/run-files/fio-64k | grep -c '"clat"'
# repeated runs, a folder each
mkdir -p before/1 before/2; cp data/run-files/fio-4k/*lat.?.log before/1; cp data/run-files/fio-64k/*lat.?.log before/2
osprof show before | head -2
osprof history before 2>&1 | head -1
# one log alone is as it was
osprof show -f csv data/run-files/fio-4k/x_clat.1.log | cut -d, -f1-3
osprof show data/run-files/fio-4k/x_bw.1.log; echo "status $?"
# the report beside logs that have no latencies
mkdir report; cp data/run-files/fio-4k/out.json data/run-files/fio-4k/x_bw.?.log report; osprof show report | head -1
# only logs without latencies, and a damaged one among others
mkdir only; cp data/run-files/fio-4k/x_bw.?.log only; osprof show only; echo "status $?"
mkdir bad; cp data/run-files/fio-4k/x_?lat.?.log bad; head -c 700 data/run-files/fio-4k/x_clat.2.log >bad/x_clat.2.log
osprof show bad; echo "status $?"
echo '12, oops' >>bad/x_clat.1.log; osprof show bad; echo "status $?"
