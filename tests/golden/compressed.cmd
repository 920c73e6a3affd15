# compressed files, by content, also from a pipe and as runs; the limit holds for the text
cat data/compressed/small.osprof.zst | osprof show -q -f csv - | head -2
osprof show -q -f csv data/compressed/small.osprof.gz | head -2
cp data/compressed/small.osprof.gz nameless && osprof convert -q nameless -o same.osprof && osprof convert -q data/osprof/small.osprof -o plain.osprof && cmp same.osprof plain.osprof
osprof show --max-input 159 data/compressed/small.osprof.gz
osprof show -q --max-input 160 data/compressed/small.osprof.gz | wc -l
osprof show data/compressed/truncated.osprof.gz
