# the same tree from a pipe, plain and compressed, as from the file
for one in shop.chrome.json.xz:handle shop.dump.txt.xz:handle shop.replay.txt.xz:handle \
	calls.csv:f spans.ndjson.xz:frontend/POST* jaeger.json:S1/O1; do
	file=data/causes/${one%%:*}
	function=${one#*:}
	osprof causes -q --function "$function" --section tree -f folded $file >file.folded
	cat $file | osprof causes -q --function "$function" --section tree -f folded - >pipe.folded
	cmp file.folded pipe.folded && echo "$one: the same, $(wc -l <pipe.folded) paths"
done
xzcat data/causes/kernel-seek.txt.xz | osprof causes -q --function ksys_lseek -f csv --section causes - | head -2
printf '' | osprof causes --function f -; echo "status $?"
