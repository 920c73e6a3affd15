# two spans, 2 us and 1 us of them within, in all the ways in which they are written
cat >one.json <<'END'
{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"s"}}]},"scopeSpans":[{"scope":{"name":"l"},"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","name":"a","startTimeUnixNano":"1000","endTimeUnixNano":"3000"}]},{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203332","parentSpanId":"b7ad6b7169203331","name":"b","startTimeUnixNano":1500,"endTimeUnixNano":2500,"kind":"SPAN_KIND_SERVER","status":{},"links":[{"traceId":"x","spanId":"y"}],"events":[{"timeUnixNano":"1600","name":"e"}]}]}]}]}
END
# lines of the collector's file exporter: nothing, logs and metrics among them
{ echo '{"resourceLogs":[{"scopeLogs":[{"logRecords":[]}]}]}'; echo; cat one.json; echo '{}'; echo '{"resourceSpans":[]}'; echo '{"resourceMetrics":[{"scopeMetrics":[{"metrics":[]}]}]}'; } >lines.json
{ cat one.json; echo '{}'; } >spans-first.json
# the older names, ids in base64, indented, compressed, a batch a line
sed 's/scopeSpans/instrumentationLibrarySpans/; s/"scope":/"instrumentationLibrary":/' one.json >old.json
sed 's/b7ad6b716920333\([12]\)/t61rcWkgMz\1=/g; s/0af7651916cd43dd8448eb211c80319c/CvdlGRbNQ92ESOshHIAxnA==/g' one.json >base64.json
python3 -c "import json; json.dump(json.load(open('one.json')), open('pretty.json', 'w'), indent=2)"
gzip -k one.json
python3 - <<'END'
import json
d = json.load(open("one.json"))
spans = [s for scope in d["resourceSpans"][0]["scopeSpans"] for s in scope["spans"]]
with open("batches.json", "w") as f:
    for s in reversed(spans):
        json.dump({"resourceSpans": [{"resource": d["resourceSpans"][0]["resource"], "scopeSpans": [{"spans": [s]}]}]}, f)
        f.write("\n")
END
for f in one.json lines.json spans-first.json old.json base64.json pretty.json one.json.gz batches.json; do
	echo "$f $(osprof show -q -f csv $f | cut -d, -f1-7 | tail -n +2 | tr '\n' ' ')"
done
