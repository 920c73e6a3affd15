# 
printf 'op\\0read' >binary; osprof show binary; echo status $?
