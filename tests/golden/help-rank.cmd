# 
osprof help rank
