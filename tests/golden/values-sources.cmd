# what readers record of calls: arguments that begin on another line, disks, offsets, priorities
python3 - <<'END'
calls = []
for i in range(40):
    calls.append('12 read(3,  <unfinished ...>\n13 lseek(4, %d, SEEK_SET) = %d <0.000002>\n'
                 '12 <... read resumed>"a\\", (b", 4096) = %d <0.%06d>\n'
                 % (i, i, 0 if i % 2 else 4096, 10 + i % 3 if i % 2 else 900 + i % 7))
open("a.strace", "w").write("".join(calls))
rows = ["TIME(s)     COMM           PID    DISK    T SECTOR     BYTES   LAT(ms)\n"]
at = 1000
for i in range(60):
    at += 8 if i % 3 else 5000000
    rows.append("%.6f    my prog        %d   vda     R %-10d 4096      %s\n"
                % (i, 100 + i % 2, at, "0.%02d" % (10 + i % 4) if i % 3 else "9.%02d" % (i % 60)))
open("biosnoop.txt", "w").writelines(rows)
open("x_lat.1.log", "w").writelines("%d, %d, 0, %d, %d, 0x4001\n" % (
    i, 1000 + i if i % 2 else 900000 + i, 512 if i % 2 else 65536, i * 65536 % 1048576) for i in range(60))
END
osprof values -q --op read --all a.strace
osprof values -q --all biosnoop.txt
osprof values -q --all x_lat.1.log
