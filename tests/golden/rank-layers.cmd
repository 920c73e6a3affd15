# sentences name operations as the table does, each with its layer
printf 'operation,layer,low_ns,high_ns,count\nread,vfs,1024,2048,9000\nread,block,65536,131072,9000\n' >b.csv; sed s/9000/90000/ b.csv >a.csv; osprof rank -q b.csv a.csv; osprof rank -q -f markdown b.csv a.csv | grep '^- \*\*'; osprof show -q --op 'v*/read' a.csv; osprof show -q --op 'v*' a.csv
