# SQLite, where every 40th fdatasync() was made 4 ms longer: 8 calls, 32,634,204 ns by its own clock.
osprof causes -q data/causes/sqlite.dump.txt.xz --function sqlite3_step
osprof causes -q data/causes/sqlite.dump.txt.xz --function sqlite3_step --method maxcount --section causes | tail -n 1
# nginx, where opening one file in 15 was made 3 ms longer: 10 requests, 30,547,204 ns.
osprof causes -q data/causes/nginx.dump.txt.xz --function ngx_http_process_request --section causes
