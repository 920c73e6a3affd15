# hostile names in every output format; one value, missing fields, names that come once
python3 - <<'END'
with open("calls.csv", "w") as f:
    f.write('op,latency_ns,"who|<b>\x1b[31m",same,path\n')
    for i in range(60):
        f.write('read,%d,%s,7,p%d\n' % (70000 + i if i % 2 else 300, '"=a|<i>"' if i % 2 else "", i))
END
osprof values -q calls.csv
osprof values -q -f csv calls.csv
osprof values -q -f markdown calls.csv
osprof values -q -f json calls.csv
osprof values -q -f html calls.csv
