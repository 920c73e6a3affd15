# Services, a request handed to another thread, the kernel, tables.
osprof causes data/causes/spans.ndjson.xz --function 'frontend/POST /checkout' --section causes
osprof causes data/causes/zipkin.json --function 'web/get /' --section tree
osprof show data/causes/jaeger.json
osprof causes data/causes/handover.dump.txt.xz --function request --range 300us: --link enqueue:1=serve:1 --section causes,meanwhile
osprof causes data/causes/kernel-seek.txt.xz --function ksys_lseek --range 1ms: --section causes
osprof causes data/causes/calls.csv --function f --range 500us: --section causes
