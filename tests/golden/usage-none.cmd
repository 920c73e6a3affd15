# 
osprof
