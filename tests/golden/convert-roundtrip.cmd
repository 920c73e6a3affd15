# text and JSON of one capture, through our own format and CSV
osprof convert -q data/runs/randread-2/2.txt -o a.osprof && osprof convert -q a.osprof -o b.csv && osprof convert -q b.csv -o c.osprof && diff a.osprof c.osprof && cat a.osprof
