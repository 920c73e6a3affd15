# 
osprof rank --metrics emd a b
