# Events of Chrome's format in any order, as a bare array, as asynchronous ones: the same calls.
events() { # each on a line
	xzcat data/causes/shop.chrome.json.xz | sed -n 's/,*$//; /^{"ts"/p'
}
array() {
	echo '['
	sed '$!s/$/,/'
	echo ']'
}
events | array >forwards.json
events | tac | array >backwards.json
events | sed 's/"ph":"B"/"cat":"work","id":"0x1","ph":"b"/; s/"ph":"E"/"cat":"work","id":"0x1","ph":"e"/' | array >async.json
for file in forwards backwards async; do
	osprof causes -q $file.json --function handle | cmp - forwards.out 2>/dev/null ||
		osprof causes -q $file.json --function handle >forwards.out
	tail -n +2 forwards.out | cksum | cut -d ' ' -f 1 >>sums
done
sort -u sums | wc -l
osprof causes -q forwards.json --function handle --section causes,values
# Arguments of any name, of complete events that come after what they call.
array >calls.json <<'END'
{"ph":"X","name":"g","ts":10,"dur":5,"pid":1,"tid":1,"args":{"bytes":1}}
{"ph":"X","name":"f","ts":0,"dur":20,"pid":1,"tid":1,"args":{"bytes":4096,"hit":true,"who":"a\"b","more":{}}}
{"ph":"X","name":"f","ts":100,"dur":20,"pid":1,"tid":1,"args":{"bytes":4096,"hit":true}}
{"ph":"X","name":"f","ts":200,"dur":20,"pid":1,"tid":1,"args":{"bytes":4096,"hit":true}}
{"ph":"X","name":"h","ts":1000,"dur":900,"pid":1,"tid":1}
{"ph":"X","name":"f","ts":1000,"dur":1000,"pid":1,"tid":1,"args":{"bytes":9,"hit":false}}
{"ph":"X","name":"f","ts":3000,"dur":1000,"pid":1,"tid":1,"args":{"bytes":9,"hit":false}}
{"ph":"X","name":"f","ts":5000,"dur":1000,"pid":1,"tid":1,"args":{"bytes":9,"hit":false}}
{"ph":"X","name":"f","ts":7000,"dur":1000,"pid":1,"tid":1,"args":{"bytes":9,"hit":false}}
{"ph":"X","name":"f","ts":9000,"dur":1000,"pid":1,"tid":1,"args":{"bytes":9,"hit":false}}
END
osprof causes -q calls.json --function f --range 500us: --section causes,values
