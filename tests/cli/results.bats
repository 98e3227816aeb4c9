# Saved results: JSON and CSV on every way out, intervals, the limit, progress.
load common.bash

setup() {
    cd "$BATS_TEST_TMPDIR"
    source=$BATS_TEST_DIRNAME/../..
}

teardown() {
    stop_server
}

# python SCRIPT ARGUMENT...: Debian's, which has jsonschema
python() {
    /usr/bin/python3 -W ignore "$@"
}

# fits FILE: is JSON without NaN, and as the schema says.
fits() {
    python - "$source/schema/nhfsstone-1.json" "$1" <<'PY'
import json, sys
import jsonschema
def no_constant(name):
    raise SystemExit("not JSON: " + name)
schema = json.load(open(sys.argv[1]))
document = json.load(open(sys.argv[2]), parse_constant=no_constant)
jsonschema.Draft202012Validator.check_schema(schema)
jsonschema.validate(document, schema)
PY
}

# value FILE EXPRESSION: of d, the document
value() {
    python -c 'import json, sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}

@test "one load, repeated: the document has what the text says, and agrees with itself" {
    nhfs 0 --loopback -m sfs3 -l 500 -c 500 -w 0 -r 3 --files 50 --json r.json --csv r.csv --seed 7
    fits r.json
    [ "$(value r.json "d['seed'], d['exit_status'], d['valid'], d['interrupted'], d['error']")" = "(7, $status, $([ "$status" -eq 0 ] && echo True || echo False), False, None)" ]
    [[ $(tail -n 1 <<<"$output") == *"$(value r.json "'%.2f calls/sec' % d['rate']['mean']")"* || -n "$(value r.json "d['rate']['mean']")" ]]
    python - r.json r.csv <<'PY'
import csv, json, math, statistics, sys
d = json.load(open(sys.argv[1]))
assert [p["phase"] for p in d["points"]] == ["fixed"] * 3 and [p["repeat"] for p in d["points"]] == [1, 2, 3]
for p in d["points"]:
    assert p["calls"] + p["errors"] <= 500 and p["requested"] == 500
    assert abs(p["achieved"] - p["calls"] / p["seconds"]) < 1e-6 * p["achieved"]
    assert sum(o["calls"] for o in p["ops"].values()) == p["calls"]
    assert abs(sum(o["want"] for o in p["ops"].values()) - 100) < 1e-9
    for t in (p["service_ms"], p["response_ms"]):
        assert t["p50"] <= t["p90"] <= t["p95"] <= t["p99"] <= t["p999"] <= t["max"]
    # a call is never answered before it is due: response >= service, in the mean too
    assert p["response_ms"]["mean"] >= p["service_ms"]["mean"]
    weighted = sum(o["calls"] * o["service_ms"]["mean"] for o in p["ops"].values() if o["calls"])
    if p["service_ms"]["mean"] and p["calls"] == 500:
        assert abs(weighted / p["calls"] - p["service_ms"]["mean"]) < 1e-3 * p["service_ms"]["mean"] + 1e-6
rates = [p["achieved"] for p in d["points"]]
assert abs(d["rate"]["mean"] - statistics.mean(rates)) < 1e-6
assert abs(d["rate"]["stdev"] - statistics.stdev(rates)) < 1e-6
half = 4.302652729911275 * statistics.stdev(rates) / math.sqrt(3)  # Student's t, 2 degrees of freedom, 97.5 %
assert all(abs(a - b) < 1e-6 for a, b in zip(d["rate"]["ci95"], (statistics.mean(rates) - half, statistics.mean(rates) + half)))
rows = list(csv.reader(open(sys.argv[2], newline="")))
assert len(rows) == 4 and len({len(r) for r in rows}) == 1, rows
for row, p in zip([dict(zip(rows[0], r)) for r in rows[1:]], d["points"]):
    assert int(row["calls"]) == p["calls"] and abs(float(row["achieved_per_sec"]) - p["achieved"]) < 1e-5
    assert abs(float(row["service_p99_ms"]) - p["service_ms"]["p99"]) < 1e-5 and row["interrupted"] == "false"
raw = open(sys.argv[2], newline="").read()
assert raw.count("\r\n") == 4 and raw.count("\n") == 4
PY
}

@test "a single run has no interval, rather than a false one" {
    nhfs 0 --loopback -l 200 -c 100 -w 0 --files 20 --json r.json
    fits r.json
    [ "$(value r.json "d['rate']['runs'], d['rate']['ci95'], d['rate']['stdev']")" = "(1, None, None)" ]
    [[ $output != *"+-"* ]]
}

@test "a plateau: the confirming runs, their interval, the limit" {
    finds 900 1050 --loopback=service=fixed:2ms,workers=2 -m getattr -t 0.4 -w 0.1 --files 20 --json r.json --limit 20
    fits r.json
    between "$(value r.json "d['plateau']['calls_per_sec']")" 900 1050 # 2 workers / 2 ms = 1000
    [ "$(value r.json "d['plateau']['runs'], len([p for p in d['points'] if p['phase'] == 'confirm'])")" = "(3, 3)" ]
    [ "$(value r.json "d['plateau']['ci95'][0] <= d['plateau']['calls_per_sec'] <= d['plateau']['ci95'][1]")" = True ]
    [ "$(value r.json "d['limit']['limit_ms']")" = 20.0 ]
    [ "$(value r.json "d['limit']['service_ms'] <= 20")" = True ]
    [ "$(value r.json "d['limit']['calls_per_sec'] <= 1050")" = True ]
    [[ $output == *"within 20 msec/call: "*"; overall response time "* ]]
}

@test "a curve: the highest throughput within the limit, and none when there is none" {
    nhfs 0 --loopback=service=fixed:2ms -m null -l 50:150:50 -t 1 -w 0 --json r.json --limit 50ms
    fits r.json
    between "$(value r.json "d['limit']['calls_per_sec']")" 140 151
    # of a constant service time, whatever the area, the mean is that: 2 ms and the way there and back
    between "$(value r.json "d['limit']['overall_ms']")" 2 8
    nhfs 0 --loopback=service=fixed:2ms -m null -l 50,100 -t 0.5 -w 0 --json r.json --limit 1
    [ "$(value r.json "d['limit']['calls_per_sec'], d['rate']")" = "(None, None)" ]
    [[ $output == *"no point had a mean response time within 1 msec"* ]]
    nhfs 2 --loopback --limit 0
    one_line --limit
    nhfs 2 --loopback --limit fast
    one_line --limit fast
}

@test "an invalid result is saved as one" {
    nhfs 1 --loopback=jukebox=0,stale=20% -m getattr -l 200 -c 200 -w 0 --files 20 --json r.json --csv r.csv
    fits r.json
    [ "$(value r.json "d['exit_status'], d['valid'], 'ERRORS' in [w['kind'] for w in d['warnings']]")" = "(1, False, True)" ]
    [ "$(value r.json "d['points'][0]['ops']['getattr']['errors'].keys()")" = "dict_keys(['NFS3ERR_STALE'])" ]
    [ "$(value r.json "d['points'][0]['ops']['getattr']['errors']['NFS3ERR_STALE'] == d['points'][0]['errors']")" = True ]
    grep -q 'ERRORS' r.csv
}

@test "an interrupted run is saved as far as it got, and says so" {
    "$NHFSSTONE" --loopback -l 200 -t 60 -w 0 --files 20 --json r.json --csv r.csv >/dev/null 2>&1 3>&- &
    pid=$!
    sleep 2
    kill -INT "$pid"
    wait "$pid" || code=$?
    [ "$code" -eq 130 ]
    fits r.json
    [ "$(value r.json "d['interrupted'], d['exit_status'], d['valid'], len(d['points'])")" = "(True, 130, False, 1)" ]
    [ "$(value r.json "d['points'][0]['interrupted']")" = True ]
    [ "$(wc -l <r.csv)" -eq 2 ]
}

@test "a failed set-up is saved with its reason" {
    for target in no-such-host.invalid:/x 127.0.0.1:/x directory; do
        rm -f r.json r.csv
        nhfs 3 --port 1 --mountport 1 --timeout 100ms --retrans 0 --json r.json --csv r.csv "$target"
        one_line "${target%%:*}"
        fits r.json
        [ "$(value r.json "d['error'] in '''$stderr''', d['exit_status'], d['valid'], d['points'], d['plateau']")" = "(True, 3, False, [], None)" ]
        [ "$(wc -l <r.csv)" -eq 1 ]
    done
}

@test "- puts the document alone on standard output" {
    nhfs 0 --loopback -l 200 -c 100 -w 0 --files 20 --json -
    printf '%s\n' "$output" >r.json
    fits r.json
    nhfs 0 --loopback -l 200 -c 100 -w 0 --files 20 --csv -
    [ "${#lines[@]}" -eq 2 ]
    [[ ${lines[0]} == phase,repeat,* && ${lines[1]} == fixed,1,200.* ]]
    nhfs 2 --loopback --json - --csv -
    one_line --json --csv
    nhfs 2 --loopback --plot - --report -
    one_line --plot --report
}

@test "--plot: pictures of every kind, and characters on standard output" {
    command -v gnuplot >/dev/null || skip "no gnuplot"
    for kind in svg png pdf txt; do
        nhfs 0 --loopback=service=fixed:1ms,workers=4 -m getattr -l 100,300,500 -t 0.4 -w 0 --files 20 --plot "curve.$kind"
        [ -s "curve.$kind" ]
    done
    [[ $(head -c 8 curve.png | od -An -c) == *P*N*G* && $(head -c 4 curve.pdf) == %PDF ]]
    grep -q '<svg' curve.svg
    grep -q 'throughput (calls/s)' curve.svg
    grep -q 'mean response time (ms)' curve.txt
    nhfs 0 --loopback -m null -l 100,200 -t 0.3 -w 0 --plot -
    [[ $output == *"throughput (calls/s)"* && $output != *"best of"* ]]
    nhfs 2 --dry-run --loopback --plot x.svg
    one_line --plot
    nhfs 3 --loopback -l 100 -t 30 --plot x.jpg
    one_line x.jpg .svg
    [ ! -e x.jpg ]
}

@test "--report: text, Markdown and HTML, with what the disclosure says and what it does not" {
    printf '# mine\nserver_model = Box 7 <b>|</b>\nnotes = one\nnotes = two\n' >box.disclosure
    for kind in txt md html; do
        nhfs 0 --loopback -m sfs3 -l 100,300 -c 300 -w 0 --files 20 --report "r.$kind" --disclosure box.disclosure
        grep -q 'VALID' "r.$kind"
        grep -q 'not disclosed' "r.$kind"
        grep -qE '[0-9]+ calls/sec @ [0-9.]+ msec' "r.$kind"
        grep -q 'Box 7' "r.$kind"
    done
    run ! grep -q '<b>|' r.html
    run ! grep -qi 'SPECnfs\|SPECsfs' r.txt
    python - r.html <<'PY'
import html.parser, sys
class Check(html.parser.HTMLParser):
    void = {"meta", "br", "hr", "link", "img", "input"}
    stack = []
    def handle_starttag(self, tag, attrs):
        assert tag != "script"
        if tag not in self.void:
            self.stack.append(tag)
    def handle_startendtag(self, tag, attrs):
        pass
    def handle_endtag(self, tag):
        assert self.stack and self.stack.pop() == tag, tag
check = Check()
check.feed(open(sys.argv[1], encoding="utf-8").read())
assert not check.stack, check.stack
PY
    nhfs 3 --loopback -l 100 -t 30 --report r.doc
    one_line r.doc .html
    printf 'server_model = x\nserver_modle = y\n' >bad.disclosure
    nhfs 3 --loopback -l 100 -t 30 --report r.txt --disclosure bad.disclosure
    one_line bad.disclosure:2 server_modle
    nhfs 2 --loopback --disclosure box.disclosure
    one_line --disclosure --report
}

@test "a run that failed or was interrupted has a report that says so" {
    nhfs 3 --port 1 --mountport 1 --timeout 100ms --retrans 0 --report r.txt 127.0.0.1:/x
    grep -q 'NOT VALID' r.txt
    "$NHFSSTONE" --loopback -l 200 -t 60 -w 0 --files 20 --report i.md >/dev/null 2>&1 3>&- &
    pid=$!
    sleep 2
    kill -INT "$pid"
    wait "$pid" || [ $? -eq 130 ]
    grep -qi 'interrupted' i.md
}

@test "a file that cannot be written is told before the load; a full disk after it; neither leaves anything" {
    SECONDS=0
    nhfs 3 --loopback -l 200 -t 30 --json nowhere/r.json
    one_line --json nowhere/r.json
    nhfs 3 --loopback -l 200 -t 30 --csv .
    one_line --csv
    [ "$SECONDS" -lt 10 ]
    nhfs 3 --loopback -l 200 -c 100 -w 0 --files 20 --json /dev/full
    [[ $stderr == *"--json: cannot write /dev/full: No space left on device"* ]]
    run -3 bash -c "'$NHFSSTONE' --loopback -l 200 -c 100 -w 0 --files 20 -q --csv - >/dev/full"
    echo old >r.json
    (ulimit -f 1 && trap '' XFSZ && "$NHFSSTONE" --loopback -m sfs3 -l 200 -c 100 -w 0 --files 20 -q --json r.json) && false
    [ "$(cat r.json)" = old ]
    [ "$(find . -type f ! -name "separate-stderr-*")" = ./r.json ]
}

@test "commands without a result have no place for one" {
    for command in --cleanup --mix-from --serve "--mix list" ; do
        # shellcheck disable=SC2086
        nhfs 2 $command --csv r.csv
        one_line --csv
    done
    nhfs 2 --dry-run --loopback --csv r.csv
    one_line --csv
    [ ! -e r.csv ]
}

@test "repeats that belong together have no note; the text gives mean, deviation and interval" {
    nhfs 0 --loopback=service=fixed:5ms,workers=8 -m null -l 100 -c 100 -w 0 -r 4 --json r.json
    [[ $output == *"4 runs: "*" calls/sec (95 % interval +-"*", stdev "*" msec/call (+-"* ]]
    fits r.json
}

@test "progress: one rewritten line on a terminal, nothing elsewhere, nothing with --quiet" {
    command -v script >/dev/null || skip "no script(1)"
    script -qec "'$NHFSSTONE' --loopback -m null -l 100 -t 1.5 -w 0.6" typescript >/dev/null </dev/null || [ $? -eq 1 ]
    grep -q 'point 1: 100 calls/s asked for, 1 outstanding a child; warming up, . s left' typescript
    grep -qE 'point 1: 100 calls/s asked for, 1 outstanding a child; [01] s left; [0-9.]+ calls/s, 0 errors so far' typescript
    script -qec "'$NHFSSTONE' --loopback -m null -l 100 -t 0.6 -w 0 -q" typescript >/dev/null </dev/null || [ $? -eq 1 ]
    run ! grep -q 'asked for' typescript
    nhfs 0 --loopback -m null -l 100 -t 0.6 -w 0
    [ -z "$stderr" ] || only_late
}
