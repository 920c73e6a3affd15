# DARC, by id: own 70, queued 380, serve 120, seek 380, still waiting 50; flows say who serves
osprof causes -q --function f --section tree -f csv data/causes/flows.json | cut -d, -f1-8
# to the next call of the thread; in two steps over a third thread; of another id; from a pipe
sed 's/"bp":"e","ts":0.4/"ts":0.3/' data/causes/flows.json >next.json
osprof causes -q --function f --section tree -f folded next.json
cat next.json | osprof causes -q --function f --section tree -f folded -
sed 's/"ph":"f","bp":"e","ts":0.4,"pid":1,"tid":2}/"ph":"t","ts":0.2,"pid":1,"tid":3}, {"name":"job","cat":"q","id":7,"ph":"f","bp":"e","ts":0.4,"pid":1,"tid":2}, {"name":"relay","ph":"X","ts":0.1,"dur":0.2,"pid":1,"tid":3}/' data/causes/flows.json >steps.json
osprof causes -q --function f --section tree -f folded steps.json
sed 's/"id":7,"ph":"f"/"id":8,"ph":"f"/' data/causes/flows.json >other.json
osprof causes -q --function f --section tree -f folded other.json
osprof show -q data/causes/flows.json
