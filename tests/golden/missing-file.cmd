# 
osprof show no-such-file; echo status $?
