# 
osprof formats -f json
