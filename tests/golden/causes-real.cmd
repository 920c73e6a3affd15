# SQLite, where every 40th fdatasync() was made 4 ms longer: 8 calls, 32,634,204 ns by its own clock.
osprof causes -q data/causes/sqlite.dump.txt.xz --function sqlite3_step
osprof causes -q data/causes/sqlite.dump.txt.xz --function sqlite3_step --method maxcount --section causes | tail -n 1
