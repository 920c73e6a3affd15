# 
osprof rnk a b
