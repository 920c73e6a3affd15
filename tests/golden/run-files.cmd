# files of strace -ff are processes of one run; numbered 1, 2, 3 they are runs
grep -hc '<[0-9.]*>$' data/run-files/strace-ff/* | awk '{ n += $1 } END { print n }'
osprof show -q data/run-files/strace-ff | head -1
osprof show -q data/run-files/strace-runs | head -1
# pgbench -l: a log a thread
mkdir pg; cp data/pgbench/thread-0.log pg/pgbench_log.4711; cp data/pgbench/thread-1.log pg/pgbench_log.4711.1
cat data/pgbench/thread-?.log | awk '{ t += $3 } END { print NR, t }'
osprof show pg
# two runs of it
cp data/pgbench/thread-0.log pg/pgbench_log.5003; cp data/pgbench/thread-1.log pg/pgbench_log.5003.1; osprof show -q pg | head -1
# ftrace: a file a processor
mkdir fp; cp data/function-profile/function0.txt fp/function0; cp data/function-profile/function1.txt fp/function1
awk '$2 ~ /^[0-9]+$/ { n += $2 } END { print n }' fp/*
osprof show -q fp | head -1
# btt: a file a device and kind of latency; what is no latency is left out
mkdir btt; cp data/btt-dat/lat_8,0_d2c.dat btt; cp data/btt-dat/lat_8,0_d2c.dat btt/lat_8,16_d2c.dat; cp data/btt-dat/x_8,16_q2c.dat btt
cp data/btt-dat/lat_8,0_d2c.dat btt/8,0_iops_fp.dat; osprof show btt
mkdir one; cp data/btt-dat/x_8,16_q2c.dat one/x_8,16_q2c.dat; cp data/btt-dat/lat_8,0_d2c.dat one/lat_8,16_d2c.dat; osprof show -q one | tail -n +3
# locust --csv: the table of the whole run; SIPp: response times once
mkdir locust sipp; cp data/locust/stats.csv locust/load_stats.csv; cp data/locust/history.csv locust/load_stats_history.csv
echo 'Method,Name,Error,Occurrences' >locust/load_failures.csv; osprof show locust 2>&1 | grep left
cp data/sipp/rtt.csv sipp/uac_77_rtt.csv; cp data/sipp/stat.csv sipp/uac_77_.csv; osprof show sipp 2>&1 | grep left
# YCSB writes a histogram log an operation
mkdir ycsb; sed 's/Logging for: [A-Z]*/Logging for: READ/' data/hlog/ycsb-V1-subject.hlog >ycsb/READ.hdr
sed 's/Logging for: [A-Z]*/Logging for: UPDATE/' data/hlog/ycsb-V1-subject.hlog >ycsb/UPDATE.hdr; osprof show -q ycsb | cut -c1-60
