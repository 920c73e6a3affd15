# names that --op could have meant: those that can be told, as many as fit
{ echo operation,latency_ns; printf 'a\033[31mb,5\n'; printf '%0300d,7\n' 0; for i in a b c d e f g h; do echo "operation_$i,9"; done; } >h.csv; osprof show --op none h.csv
