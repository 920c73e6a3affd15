# 
: >empty; osprof show empty; echo status $?
