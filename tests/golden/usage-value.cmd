# 
osprof rank --metric nonsense a b
