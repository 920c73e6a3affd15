# what is no profile is named, with what to do instead, in one line
printf '\211PNG\r\n\032\n\0\0\0\rIHDR' >x.png
printf '\377\330\377\340\0\020JFIF\0' >x.jpg
printf '\324\303\262\241\002\0\004\0\0\0\0\0' >x.pcap
printf '\n\r\r\n\034\0\0\0M<+\032\001\0\0\0\377\377\377\377\377\377\377\377\034\0\0\0\001\0\0\0' >x.pcapng
printf '\n\r\r\n\034\0\0\0M<+\032\001\0\0\0\377\377\377\377\377\377\377\377\034\0\0\0\041\002\0\0' >x.scap
printf 'PK\003\004\024\0\0\0' >x.zip
printf 'SQLite format 3\0\020\0' >'a b.db'
printf '%%PDF-1.4\n' >x.pdf
printf 'PERFILE2h\0\0\0\0\0\0\0' >perf.data
printf 'PAR1\025\004' >x.parquet
printf '\027\010Dtracing6\0' >trace.dat
printf 'Ftrace!\0\004\0\0\0' >info
printf '<!DOCTYPE html>\n<html>\n' >page.html
printf '#!/bin/sh\n' >run.sh
printf '\177ELF\002\001\001\0\0\0\0\0\0\0\0\0\004\0>\0' >core
cp /bin/true program
echo 1 >member; tar cf x.tar member; tar czf x.tar.gz member; rm member
for f in *.* info core program; do osprof show "$f" 2>&1; echo "status $?"; done
# the same on standard input, and where the user names a format
osprof show --from bpftrace perf.data; osprof show - <perf.data
# a suffix is the nearest where nothing else is
printf 'when,endpoint,took\n1,a,2\n' >t.csv; osprof show t.csv
printf 'Tally 1\n' >t.hlog; osprof show t.hlog
