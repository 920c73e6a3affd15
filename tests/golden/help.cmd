# 
osprof help
