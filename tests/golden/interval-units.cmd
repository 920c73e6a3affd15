# A time with its unit is the same as seconds; what is none is refused.
osprof convert -q --interval 0.25 data/nginx/intervals.log -o seconds.osprof && osprof convert -q --interval 250ms data/nginx/intervals.log -o ms.osprof && cmp seconds.osprof ms.osprof && grep -c '^interval' ms.osprof
osprof show --interval 250mm data/nginx/intervals.log
osprof show --interval 0s data/nginx/intervals.log
osprof show --interval 1cycles data/nginx/intervals.log
