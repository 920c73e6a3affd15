# reads of 4 KiB and of 1 MiB at random places of a file: the size decides, not the place
xzcat data/values/biosnoop.txt.xz | python3 -c '
import sys
rows = [line.split() for line in sys.stdin][1:]
large = [float(r[7]) for r in rows if int(r[6]) > 100000]
small = [float(r[7]) for r in rows if int(r[6]) <= 8192]
print(len(large), "large reads, above 0.4 ms:", sum(v > 0.4 for v in large))
print(len(small), "small ones, below:", sum(v < 0.4 for v in small))'
osprof values -q data/values/biosnoop.txt.xz | head -4
osprof values -q -f csv data/values/biosnoop.txt.xz | sed "s/\"vda,read\"/read/" | cut -d, -f1,5,6,7,13
