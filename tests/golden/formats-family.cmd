# by a pattern, and by the family
osprof formats "btt*"
osprof formats realtime -f csv
