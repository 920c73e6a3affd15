# the label of the bucket that holds zero stands clear of the first round latency: of a wide
# axis that one is left out, of a narrow one both are written
osprof plot -q --layer readseq data/rocksdb/leveldb.txt -o wide.gp && grep "^set xtics" wide.gp
printf 'operation,low_us,high_us,count\nread,0,1,5\nread,1,3,5\nread,3,10,5\n' >few.csv; osprof plot -q few.csv -o few.gp && grep "^set xtics" few.gp
