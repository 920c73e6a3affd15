# 
osprof formats
