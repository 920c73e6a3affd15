# per-call records with size and result: read past the end of a file, as in OSprof figure 8
xzcat data/values/read-end.calls.csv.xz | grep -v '^#' | python3 -c '
import csv, sys
calls = list(csv.DictReader(sys.stdin))
end = [int(c["latency_ns"]) for c in calls if c["result"] == "0"]
other = [int(c["latency_ns"]) for c in calls if c["result"] != "0"]
print(len(end), "calls past the end, below 1.1 us:", sum(v < 1100 for v in end))
print(len(other), "others, above:", sum(v > 1100 for v in other))'
osprof values -q data/values/read-end.calls.csv.xz | head -4
osprof values -q -f csv data/values/read-end.calls.csv.xz | cut -d, -f1,5,6,7,13
