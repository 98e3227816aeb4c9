#!/usr/bin/env bats
# Mixes: the output of any nfsstat as a mix file, sections of it, the mix between two listings, the built-in ones.
# bats sets stderr:
# shellcheck disable=SC2154
load common

setup_file() {
    export SAMPLES=$BATS_TEST_DIRNAME/../nfsstat PLAN=$BATS_FILE_TMPDIR/plan.py
    cat >"$PLAN" <<'END'
"""What a plan in JSON says, against what the mix file itself says: nothing here comes from the program."""
import glob, json, os, re, sys

OPS = ("null getattr setattr lookup access readlink read write create mkdir symlink mknod remove rmdir rename link "
       "readdir readdirplus fsstat fsinfo pathconf commit").split()  # RFC 1813, in order
SAME = {"readdir+": "readdirplus", "rdirplus": "readdirplus", "statfs": "fsstat"}


def check(good, *what):
    if not good:
        sys.exit(" ".join(map(str, what)))


def plan(path):
    with open(path, "rb") as file:
        document = json.loads(file.read().decode("utf-8"))
    check(document["schema"] == "nhfsstone-1", path, "schema")
    for key, kind in ("command", list), ("config", dict), ("target", list), ("mix", dict), ("mix_source", dict):
        check(isinstance(document[key], kind) and document[key], path, key, "missing or empty")
    check(set(document["mix"]) <= set(OPS), path, "no RFC 1813 names:", *document["mix"])
    check(all(share > 0 for share in document["mix"].values()), path, "shares of 0 or less")
    check(abs(sum(document["mix"].values()) - 100) < 1e-9, path, "sum", sum(document["mix"].values()))
    return document


def near(name, got, want, tolerance):
    for op in OPS:
        check(abs(got.get(op, 0) - want.get(op, 0)) <= tolerance, name, op, "got", got.get(op), "want", want.get(op))


def shares(counts):
    return {op: 100 * count / sum(counts.values()) for op, count in counts.items()}


def table(path, title):
    """The section of a Linux listing: rows of names, each with a row of `count percent%`."""
    lines = open(path).read().split("\n")
    counts, names = {}, None
    for line in lines[lines.index(title) + 1:]:
        words = line.split()
        if not words:
            break
        if words[0].isdigit():
            counts.update(zip(names, map(int, words[::2])))
        names = words
    check(list(counts) == OPS, path, "is not read right here")
    return counts


def proc3(path):
    """The proc3 line of /proc/net/rpc/nfs or nfsd: how many, then a count for each procedure."""
    words = next(line.split() for line in open(path) if line.startswith("proc3 "))
    check(words[1] == "22", path, "is not read right here")
    return dict(zip(OPS, map(int, words[2:])))


def expectations():
    """The sections of NFSv2 and NFSv3 that the two lists describe: (file, side, version, sum, percentages)."""
    for path in sorted(glob.glob(os.environ["SAMPLES"] + "/*.md")):
        for line in open(path):
            heading = re.match(r"## (\S+\.txt)$", line)
            file = heading.group(1) if heading else file if "file" in locals() else None
            row = re.match(r"- \[(.*)\] sum (\d+): (.*)$", line)
            if not row or row.group(2) == "0" or "acl" in row.group(1):
                continue
            title = row.group(1)
            cells = [cell.split() for cell in row.group(3).split(", ")]
            want = {SAME.get(name.lower(), name.lower()): float(share) for name, share in cells}
            version = re.search(r"(?:v|nfs|version |proc)([234])", title.lower())
            version = int(version.group(1)) if version else 2 if title.endswith(" nfs") else 3
            if "operation" in title.lower() or "servop" in title or "4" == str(version) or set(want) - set(OPS):
                continue  # root and wrcache of NFSv2 have no NFSv3 call
            text = (title if re.search("client|server", title, re.I) else file).lower()
            side = "server" if "server" in text or "nfsd" in text else "client"
            mount = re.search(r"mounted on (\S+) ", title)
            yield file, mount.group(1) if mount else side + ":v%d" % version, int(row.group(2)), want


def main(verb, *arguments):
    if verb == "valid":  # every plan of the directory
        for path in sorted(glob.glob(arguments[0] + "/*.json")):
            source = plan(path)["mix_source"]
            check(source["file"].endswith(os.path.basename(path)[:-5]), path, source["file"])
            check(source["section"] and source["calls"] > 0, path, "section and calls")
            check(source["version"] in (2, 3, 4) and 0 < source["known_percent"] <= 100, path, "version, known_percent")
            check((source["translation"] is None) == (source["version"] == 3), path, "translation")
    elif verb == "expected":  # a line for each section that can be compared: file, selector
        for file, selector, _, _ in expectations():
            print(file, selector)
    elif verb == "index":  # the plans of these lines, numbered
        rows = list(expectations())
        check(len(rows) > 40, "only", len(rows), "rows are read of the lists")
        for number, (file, selector, calls, want) in enumerate(rows, 1):
            document = plan("%s/%d" % (arguments[0], number))
            name = file + ":" + selector
            check(document["mix_source"]["calls"] == calls, name, "calls", document["mix_source"]["calls"], calls)
            near(name, document["mix"], want, 0.005 + 1e-9)
    elif verb == "table":
        near(arguments[1], plan(arguments[0])["mix"], shares(table(*arguments[1:])), 1e-9)
    elif verb == "proc3":
        near(arguments[1], plan(arguments[0])["mix"], shares(proc3(arguments[1])), 1e-9)
    elif verb == "mix":  # op=percent ...
        want = dict(word.split("=") for word in arguments[1:])
        near(arguments[0], plan(arguments[0])["mix"], {op: float(share) for op, share in want.items()}, 0.005)
    elif verb == "same":
        near(" ".join(arguments), plan(arguments[0])["mix"], plan(arguments[1])["mix"], 1e-4)
    elif verb == "get":  # one value
        value = plan(arguments[0])
        for key in arguments[1:]:
            value = value[int(key) if isinstance(value, list) else key]
        print(value)


main(*sys.argv[1:])
END
}

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
}

# plan OUT MIX ARGUMENT...: the plan as JSON, in the file OUT
plan() {
    local out=$1 mix=$2
    shift 2
    nhfs 0 --dry-run --loopback -m "$mix" --json - "$@"
    echo "$output" >"$out"
}

# section MIX SECTION ARGUMENT...: the mix is taken from this section
section() {
    local want=$2 mix=$1 got
    shift 2
    plan section.json "$mix" "$@"
    got=$(python3 "$PLAN" get section.json mix_source section)
    [ "$got" = "$want" ] || { echo "$mix: section '$got' instead of '$want'"; return 1; }
}

# zeroed FILE: the same listing with all counts 0: Linux's tables, /proc/net/rpc, mountstats
zeroed() {
    sed -E -e 's/\b[0-9]+( *)[0-9]+%/0\10%/g' -e '/^proc/{s/ [0-9]+/ 0/3g;s/^(proc[0-9a-z]+ [0-9]+) [0-9]+/\1 0/}' \
        -e '/^[[:space:]]+[A-Z_]+: /s/[0-9]+/0/g' "$1"
}

@test "every whole sample makes a plan that JSON readers read" {
    mkdir plans
    for sample in "$SAMPLES"/*.txt; do
        [[ $sample == *TRUNCATED* ]] || plan "plans/${sample##*/}.json" "$sample"
    done
    [ "$(find plans -name '*.json' | wc -l)" -gt 45 ]
    python3 "$PLAN" valid plans
}

@test "the mix is the listing's: tables and counters read independently" {
    plan a "$SAMPLES/linux-nfsstat-ns-v3-centos64.txt"
    python3 "$PLAN" table a "$SAMPLES/linux-nfsstat-ns-v3-centos64.txt" "Server nfs v3:"
    plan a "$SAMPLES/linux26-nfsstat-s-v2v3-ubuntu2007.txt"
    python3 "$PLAN" table a "$SAMPLES/linux26-nfsstat-s-v2v3-ubuntu2007.txt" "Server nfs v3:"
    plan a "$SAMPLES/linux26-nfsstat-c-v3-ubuntu2007.txt"
    python3 "$PLAN" table a "$SAMPLES/linux26-nfsstat-c-v3-ubuntu2007.txt" "Client nfs v3:"
    for name in nfsd-39ops nfsd-40ops nfsd-59ops nfs-a nfs-b; do
        plan a "$SAMPLES/linux-proc-net-rpc-$name.txt"
        python3 "$PLAN" proc3 a "$SAMPLES/linux-proc-net-rpc-$name.txt"
    done
    plan a "$SAMPLES/made-proc-net-rpc-nfs-69ops.txt::v3"
    python3 "$PLAN" proc3 a "$SAMPLES/made-proc-net-rpc-nfs-69ops.txt"
}

@test "percentages and calls are those that the lists of samples state" {
    mkdir plans
    number=0
    while read -r file selector; do
        number=$((number + 1))
        plan "plans/$number" "$SAMPLES/$file:$selector"
    done < <(python3 "$PLAN" expected)
    python3 "$PLAN" index plans
}

@test "the whole section of a cut listing can be taken" {
    plan whole "$SAMPLES/illumos-nfsstat-s-v2v3v4-TRUNCATED.txt:server:v3"
    python3 "$PLAN" mix whole write=100
}

@test "a plan's JSON has the command line, the configuration, the target and where the mix comes from" {
    sample=$SAMPLES/linux-nfsstat-ns-v3-centos64.txt
    nhfs 0 --dry-run -m "$sample" -l 123 --json - nowhere.invalid:/export
    echo "$output" >doc
    [ "$(python3 "$PLAN" get doc command 1)" = --dry-run ]
    [ "$(python3 "$PLAN" get doc command 3)" = "$sample" ]
    [[ $(python3 "$PLAN" get doc config load) == 123* ]]
    [ "$(python3 "$PLAN" get doc config seed)" = 1 ]
    [ "$(python3 "$PLAN" get doc target 0 name)" = nowhere.invalid:/export ]
    [ "$(python3 "$PLAN" get doc mix_source file)" = "$sample" ]
    [ "$(python3 "$PLAN" get doc mix_source section)" = "Server nfs v3" ]
    [ "$(python3 "$PLAN" get doc mix_source calls)" = 1826177 ]
}

@test "a side, a version, or both choose a section" {
    proc=$SAMPLES/linux-proc-net-rpc-nfs-a.txt
    section "$proc" "Client nfs v3"
    section "$proc:client" "Client nfs v3"
    section "$proc:v2" "Client nfs v2"
    section "$proc:2" "Client nfs v2"
    section "$proc::v4" "Client nfs v4"
    section "$proc:v4:client" "Client nfs v4"
    two=$SAMPLES/made-aix-nfsstat-both.txt
    section "$two:server:v3" "Server nfs v3"
    section "$two:client" "Client nfs v2"
    section "$two:client:v3" "Client nfs v3"
    section "$two::v3" "Server nfs v3"
    python3 "$PLAN" mix section.json null=0.54 getattr=27.85 setattr=0.11 lookup=0.39 access=0.22 readlink=0.26 \
        read=48.96 write=0.03 create=0.32 mkdir=0.12 symlink=0.52 remove=4.11 rmdir=0.04 rename=1.34 link=3.39 \
        readdir=0.59 readdirplus=0.03 fsstat=0.33 fsinfo=3.50 pathconf=3.03 commit=4.32
}

@test "a mount point chooses a section of mountstats" {
    mounts=$SAMPLES/made-mountstats-two-mounts.txt
    plan data "$mounts:/data"
    python3 "$PLAN" mix data getattr=22.21 read=77.73 rename=0.02 readdirplus=0.02 pathconf=0.02
    plan home "$mounts:/home"
    [ "$(python3 "$PLAN" get home mix_source version)" = 4 ]
    [ "$(python3 "$PLAN" get home mix_source calls)" = 5264090442 ]
    plan same "$mounts:client:v4:/srv/home"
    python3 "$PLAN" same home same
    plan other "$mounts:v4" # the same mount twice is not added up
    [ "$(python3 "$PLAN" get other mix_source calls)" = 5264090442 ]
}

@test "a file whose own name holds a selector is taken as it is named" {
    both=$SAMPLES/linux26-nfsstat-sn-v2v3-ubuntu2006.txt # v2 is the larger
    cp "$both" stat:v3
    section stat:v3 "Server nfs v2"
    section stat:v3:v3 "Server nfs v3"
    cp "$both" stat
    section stat:v3 "Server nfs v2"
    section stat::v3 "Server nfs v3"
}

@test "standard input, with and without a selector" {
    both=$SAMPLES/linux26-nfsstat-sn-v2v3-ubuntu2006.txt
    for mix in - -:v2 -:server:v3; do
        run --separate-stderr bash -c "cat '$both' | '$NHFSSTONE' --dry-run --loopback -m $mix --json -"
        [ "$status" -eq 0 ]
        echo "$output" >doc
        [[ $(python3 "$PLAN" get doc mix_source section) == "Server nfs v$([[ $mix == *v3 ]] && echo 3 || echo 2)" ]]
    done
    run --separate-stderr bash -c "cat '$both' | '$NHFSSTONE' --dry-run --loopback -m -:client --json -"
    [ "$status" -eq 2 ] && [ -z "$output" ]
    one_line "standard input" client "Server nfs v2"
    run --separate-stderr bash -c "'$NHFSSTONE' --dry-run --loopback -m - </dev/null"
    [ "$status" -eq 2 ] && [ -z "$output" ]
    one_line "standard input"
}

@test "--vers 3 prefers the section of NFSv3, if it has calls" {
    both=$SAMPLES/linux26-nfsstat-sn-v2v3-ubuntu2006.txt
    section "$both" "Server nfs v2"
    section "$both" "Server nfs v3" --vers 3
    section "$both:v2" "Server nfs v2" --vers 3
    section "$SAMPLES/made-aix-nfsstat-both.txt:client" "Client nfs v3" --vers 3
    section "$SAMPLES/linux-nfsstat-4s-v40.txt" "Server nfs v4 operations" --vers 3
    section "$SAMPLES/made-proc-net-rpc-nfsd-proc3-23.txt" "Server nfs v4 operations" --vers 3
}

@test "--mix-from: since all was 0 it is the listing's own mix, and a mix file again" {
    for sample in linux-nfsstat-ns-v3-centos64.txt linux26-nfsstat-sn-v2v3-ubuntu2006.txt:v2 linux-nfsstat-4s-v40.txt \
        linux-centos7-nfsstat-s-v41.txt linux-proc-net-rpc-nfsd-59ops.txt:server:v4 linux-proc-net-rpc-nfs-a.txt:v4 \
        made-proc-net-rpc-nfsd-76ops.txt:v4 made-linux6-nfsstat.txt:client made-mountstats-two-mounts.txt:/home; do
        zeroed "$SAMPLES/${sample%%:*}" >before
        selector=${sample#"${sample%%:*}"}
        nhfs 0 --mix-from "before$selector" "$SAMPLES/${sample%%:*}"
        [ -n "$output" ]
        echo "$output" >saved
        plan saved.json saved
        plan own.json "$SAMPLES/$sample"
        python3 "$PLAN" same own.json saved.json
    done
}

@test "--mix-from counts what was between the two, and only that" {
    echo 'proc3 22 10 1000 0 0 0 0 500 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0' >before
    echo 'proc3 22 10 1030 0 0 0 0 560 0 0 0 0 0 0 0 0 0 0 0 0 0 0 10' >after
    nhfs 0 --mix-from before after
    [ -z "$stderr" ]
    echo "$output" >saved
    [[ $output == *before* && $output == *after* ]]
    grep -Eq '^getattr +30\.0*$' saved && grep -Eq '^read +60\.0*$' saved && grep -Eq '^commit +10\.0*$' saved
    plan doc saved
    python3 "$PLAN" mix doc getattr=30 read=60 commit=10
    [ "$(python3 "$PLAN" get doc mix_source version)" = 3 ]
    run --separate-stderr bash -c "cat before | '$NHFSSTONE' --mix-from - after"
    [ "$status" -eq 0 ]
    [ "$(echo "$output" | grep -v '^#')" = "$(grep -v '^#' saved)" ]
    run --separate-stderr bash -c "cat after | '$NHFSSTONE' --mix-from before -"
    [ "$status" -eq 0 ]
    [ "$(echo "$output" | grep -v '^#')" = "$(grep -v '^#' saved)" ]
}

@test "--mix-from keeps what BSD's listings mean, whichever ops are in use" {
    # v3 procedures and v4 operations in one table, of which only Getattr, Create and Readdir went up
    python3 - before "$SAMPLES/made-freebsd10-nfsstat-e.txt" <<'END'
import sys
rows = open(sys.argv[2]).read().split("\n")
out, names = [], []
for line in rows:
    words = line.split()
    if names and words and all(word.isdigit() for word in words) and len(words) == len(names):
        words = [str(int(w) - {"Getattr": 600, "Create": 300, "Readdir": 100}.get(n, 0)) if int(w) >= 600 else w
                 for n, w in zip(names, words)]
        line = " ".join("%8s" % word for word in words)
    names = words if words and not words[0].isdigit() else []
    out.append(line)
open(sys.argv[1], "w").write("\n".join(out))
END
    nhfs 0 --mix-from before:client "$SAMPLES/made-freebsd10-nfsstat-e.txt"
    echo "$output" >saved
    plan doc saved
    python3 "$PLAN" mix doc getattr=60 create=30 readdir=10
}

@test "--mix-from: a client's 32-bit counters that went around" {
    echo 'proc3 22 0 4294967290 0 0 0 0 100 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0' >before
    echo 'proc3 22 0 24 0 0 0 0 170 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0' >after
    nhfs 0 --mix-from before after
    one_line wrapped getattr
    echo "$output" >saved
    plan doc saved
    python3 "$PLAN" mix doc getattr=30 read=70
    nhfs 0 -q --mix-from before after
    [ -z "$stderr" ]
}

@test "--ignore-unknown leaves unknown ops out, with a note" {
    sed '/^fsstat/i nfstell\n1000000   9%' "$SAMPLES/linux-nfsstat-ns-v3-centos64.txt" >listing
    plan doc listing --ignore-unknown
    one_line listing nfstell
    python3 "$PLAN" table doc "$SAMPLES/linux-nfsstat-ns-v3-centos64.txt" "Server nfs v3:"
    between "$(python3 "$PLAN" get doc mix_source known_percent)" 64.61 64.62
    printf 'read 30\nwrite 30\nwibble 40\n' >simple
    plan doc simple --ignore-unknown
    one_line wibble
    python3 "$PLAN" mix doc read=50 write=50
}

@test "notes go to stderr, are gone with -q, and change nothing" {
    sample=$SAMPLES/linux-nfsstat-4s-v40.txt
    plan loud "$sample"
    one_line "$sample" v4
    plan quiet "$sample" -q
    [ -z "$stderr" ]
    python3 "$PLAN" same loud quiet
    python3 "$PLAN" get quiet mix_source notes | grep -q v4
    plan doc "$SAMPLES/linux26-nfsstat-s-v2v3-ubuntu2007.txt"
    one_line "Server nfs v3" "Server nfs v2" 121086 2533 :server:v2
    plan doc "$SAMPLES/linux-nfsstat-ns-v3-centos64.txt"
    [ -z "$stderr" ]
}

@test "every built-in mix by its name; --mix list names them all in 100 columns" {
    names="legato laddis sfs2 sfs3 sfs2008 fsstat null build home webserver mailserver vm-images stat-storm write-heavy"
    nhfs 0 --mix list
    list=$output
    nhfs 0 --mix=list
    [ "$output" = "$list" ]
    nhfs 0 -m list
    [ "$output" = "$list" ]
    [ "$(echo "$list" | awk 'length > 100' | wc -l)" -eq 0 ]
    for name in $names; do
        [ "$(echo "$list" | grep -Ec "(^|[[:space:]])$name([[:space:]]|$)")" -ge 2 ] || { echo "$name"; return 1; }
        plan doc "$name"
        [ "$(python3 "$PLAN" get doc mix_source name)" = "$name" ]
        [ "$(python3 "$PLAN" get doc mix_source file)" = None ]
        [ "$(python3 "$PLAN" get doc mix_source version)" = 3 ]
        nhfs 0 --dry-run --loopback -m "$name"
        [[ $output == *"mix: $name"* ]]
    done
    [ "$(echo "$list" | awk '$1 == "op" { n += NF - 1 } END { print n }')" -eq 14 ]
    plan doc readdirplus
    python3 "$PLAN" mix doc readdirplus=100
}

@test "a listing drives a run" {
    for sample in linux-nfsstat-ns-v3-centos64.txt linux-nfsstat-4s-v40.txt; do
        run --separate-stderr timeout -k 5 90 "$NHFSSTONE" --loopback -m "$SAMPLES/$sample" -l 200 -c 200 -w 0 --files 50
        [ "$status" -le 1 ]
        between "$(rate)" 20 400
        [[ $output == *"$sample"* ]]
    done
}
