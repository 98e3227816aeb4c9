# --compare: saved results side by side.
load common.bash

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# result FILE MS ARGUMENT...: measured against a server that takes MS for a call
result() {
    local file=$1 ms=$2
    shift 2
    run "$NHFSSTONE" --loopback="service=fixed:$ms,workers=4" -m getattr --files 20 -w 0 --json "$file" -q "$@"
    [ "$status" -le 1 ] # a busy machine casts doubt on it, which is not what is tested here
}

# scaled FILE FACTOR OUT: the same result with its rates scaled, to know the answer exactly
scaled() {
    python3 - "$@" <<'PY'
import json, sys
d = json.load(open(sys.argv[1]))
factor = float(sys.argv[2])
for i, p in enumerate(d["points"]):
    p["achieved"] *= factor
    p["service_ms"] = {k: v and v / factor for k, v in p["service_ms"].items()}
    for o in p["ops"].values():
        o["service_ms"] = {k: v and v / factor for k, v in o["service_ms"].items()}
d["plateau"]["calls_per_sec"] *= factor
d["valid"], d["exit_status"], d["warnings"] = True, 0, []
json.dump(d, open(sys.argv[3], "w"))
PY
}

@test "a plateau that is better is faster, one that is worse slower, one that is the same neither" {
    result real.json 4ms -t 0.4 -r 3
    scaled real.json 1 a.json
    scaled real.json 1.5 b.json
    nhfs 0 --compare a.json b.json
    [[ $(tail -n 1 <<<"$output") == "compare: B/A = 1.500 ["*"] faster: plateau "* ]]
    nhfs 0 --compare b.json a.json
    [[ $(tail -n 1 <<<"$output") == "compare: B/A = 0.667 ["*"] slower: plateau "* ]]
    cp a.json same.json
    nhfs 0 --compare a.json same.json
    [[ $(tail -n 1 <<<"$output") == "compare: B/A = 1.000 ["*"] no difference shown: plateau "* ]]
}

@test "--fail-if slower is for scripts: status 1 only when it is" {
    result real.json 4ms -t 0.4 -r 3
    scaled real.json 1 a.json
    scaled real.json 0.8 b.json
    nhfs 1 --compare a.json b.json --fail-if slower
    nhfs 0 --compare b.json a.json --fail-if slower
    nhfs 0 --compare a.json a.json --fail-if slower
    nhfs 1 --compare a.json b.json --fail-if slower=1%
    nhfs 0 --compare a.json b.json --fail-if slower=60%
    nhfs 2 --compare a.json b.json --fail-if faster
    one_line --fail-if slower
    nhfs 2 --loopback --fail-if slower
    one_line --fail-if --compare
}

@test "one run each: no verdict, and what to do" {
    result a.json 2ms -l 100 -c 50
    result b.json 6ms -l 100 -c 50
    nhfs 0 --compare a.json b.json
    [[ $(tail -n 1 <<<"$output") == "compare: B/A = "*"no verdict"*"--repeat"* ]]
}

@test "loads that both were asked for are compared by their response times" {
    result a.json 2ms -l 50,100 -c 50 -r 3
    result b.json 8ms -l 100,150 -c 50 -r 3
    nhfs 0 --compare a.json b.json
    [[ $output == *"ms at 100 calls/s"* && $output != *"ms at 50 calls/s"* && $output != *"ms at 150 calls/s"* ]]
    [[ $(tail -n 1 <<<"$output") == *"slower"* ]]
}

@test "what makes it unfair is said first" {
    result a.json 2ms -l 100 -c 50 -r 2
    result b.json 2ms -l 100 -c 50 -r 2 -p 3 --seed 9
    nhfs 0 --compare a.json b.json
    [[ $stderr == *"may be unfair: "*"children"* && $stderr == *"seed"* ]]
    [[ $stderr != *"host"* ]]
}

@test "three results, as text, JSON, CSV and a picture" {
    result real.json 4ms -t 0.4 -r 3
    scaled real.json 1 a.json
    scaled real.json 1.2 b.json
    scaled real.json 0.7 c.json
    nhfs 0 --compare a.json b.json c.json --json cmp.json --csv cmp.csv
    [ "$(grep -c '^compare: ' <<<"$output")" -eq 2 ]
    python3 - <<'PY'
import csv, json
d = json.load(open("cmp.json"))
assert d["schema"] == "nhfsstone-compare-1" and len(d["results"]) == 3, d.keys()
rows = list(csv.reader(open("cmp.csv", newline="")))
assert len({len(r) for r in rows}) == 1 and len(rows) > 2
PY
    nhfs 0 --compare a.json b.json --json -
    python3 -c 'import json, sys; json.load(sys.stdin)' <<<"$output"
    if command -v gnuplot >/dev/null; then
        nhfs 0 --compare a.json b.json c.json --plot three.svg
        grep -q 'c.json' three.svg
    fi
}

@test "what is no saved result is refused in one line: status 2" {
    result a.json 2ms -l 100 -c 50
    nhfs 2 --compare a.json
    one_line --compare 2
    nhfs 2 --compare a.json nowhere.json
    one_line nowhere.json
    head -c 3000 a.json >cut.json
    nhfs 2 --compare a.json cut.json
    one_line cut.json
    "$NHFSSTONE" --dry-run --loopback --json plan.json >plan.txt
    nhfs 2 --compare a.json plan.json
    one_line plan.json plan
    sed 's/nhfsstone-1/nhfsstone-2/' a.json >newer.json
    nhfs 2 --compare newer.json a.json
    one_line newer.json newer
    sed 's/"achieved": [0-9.]*/"achieved": "fast"/' a.json >text.json
    nhfs 2 --compare a.json text.json
    one_line text.json achieved
    nhfs 2 --compare --loopback a.json a.json
    one_line --loopback
    nhfs 2 --compare a.json a.json --report r.txt
    one_line --report
    nhfs 3 --compare a.json a.json --json nowhere/x.json
    one_line --json
}
