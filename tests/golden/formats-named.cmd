# one of several, by its name, and by patterns
osprof formats hgrm 'perf-s*'
osprof formats --format csv hgrm
osprof formats --format json osprof csv
