# 
printf 'op\\0read' >binary; osprof show -q binary; echo status $?
