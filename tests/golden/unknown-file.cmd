# 
echo 'just some words' >prose; osprof show prose; echo status $?
