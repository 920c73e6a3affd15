# uftrace's own self and total time: the same of each function, to the digits it prints
osprof show -q -f csv data/uftrace/nested.txt | cut -d, -f2,4,16,18 | sort >ours
osprof show -q -f csv data/uftrace-report/nested.txt | cut -d, -f2,4,16,18 | sort >theirs
join -t, ours theirs | awk -F, 'function far(a, b) { return a - b > b * 5e-4 || b - a > b * 5e-4 }
	NR > 0 && $1 != "operation" { n++; if ($2 != $5 || far($3, $6) || far($4, $7)) print }
	END { print n " functions compared" }'
# self times add up to what the outermost calls took
osprof show -q -f csv data/uftrace/nested.txt | awk -F, 'NR > 1 { self += $16; if ($2 == "main" || $2 ~ /^__/) outer += $5 } END { print self == outer }'
# three fib(4) of 9 calls each, of which 4 call fib again
osprof layers -q --op fib -f csv data/uftrace/nested.txt | cut -d, -f2,4,10-13,15
# written, read again and merged: all of it is kept, whatever the order
osprof convert -q data/uftrace/nested.txt -o a.osprof
osprof convert -q a.osprof | cmp - a.osprof
osprof merge -q a.osprof a.osprof -o b.osprof
osprof merge -q a.osprof b.osprof -o c.osprof
osprof merge -q b.osprof a.osprof -o d.osprof && cmp c.osprof d.osprof
osprof show -q -f csv c.osprof | grep fib | cut -d, -f2,4,16,18
osprof show -q -f csv a.osprof | grep fib | cut -d, -f2,4,16,18
# 120 s of vfs_read and those below it are 19.4 s
osprof show -q data/ftrace/funcgraph-abstime.txt | head -1
