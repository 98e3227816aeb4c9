#!/usr/bin/env bats
# Mix files that are none, and JSON that cannot be written: a line each, quickly, and nothing half done.
# bats sets status, output and stderr:
# shellcheck disable=SC2154
load common

setup() {
    samples=$BATS_TEST_DIRNAME/../nfsstat
    mkdir "$BATS_TEST_TMPDIR/work" # bats has files of its own beside it
    cd "$BATS_TEST_TMPDIR/work" || return 1
}

# hostile FILE PART...: within 5 seconds status 2, nothing on stdout, and one line on stderr that holds the parts
hostile() {
    run --separate-stderr timeout -k 1 5 "$NHFSSTONE" --dry-run --loopback -m "$1" --json -
    if [ "$status" -ne 2 ] || [ -n "$output" ]; then
        echo "$1: status $status: $output: $stderr"
        return 1
    fi
    one_line "${@:2}" && [ "${#stderr}" -lt 700 ]
}

# listing GETATTR READ: Linux's table with these counts
listing() {
    cat <<END
Server nfs v3:
null         getattr      setattr      lookup       access       readlink
0         0% $1      49% 0         0% 0         0% 0         0% 0         0%
read         write        create       mkdir        symlink      mknod
$2      49% 0         0% 0         0% 0         0% 0         0% 0         0%
remove       rmdir        rename       link         readdir      readdirplus
0         0% 0         0% 0         0% 0         0% 0         0% 0         0%
fsstat       fsinfo       pathconf     commit
0         0% 0         0% 0         0% 0         0%
END
}

# counters GETATTR READ: the line of /proc/net/rpc/nfsd with these counts
counters() {
    echo "proc3 22 0 $1 0 0 0 0 $2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"
}

# between_refused FILE... -- PART...
between_refused() {
    local files=()
    while [ "$1" != -- ]; do
        files+=("$1")
        shift
    done
    nhfs 2 --mix-from "${files[@]}" && [ -z "$output" ] && one_line "${@:2}"
}

# zeroed FILE: the same listing with all counts 0: Linux's tables, /proc/net/rpc, mountstats
zeroed() {
    sed -E -e 's/\b[0-9]+( *)[0-9]+%/0\10%/g' -e '/^proc/{s/ [0-9]+/ 0/3g;s/^(proc[0-9a-z]+ [0-9]+) [0-9]+/\1 0/}' \
        -e '/^[[:space:]]+[A-Z_]+: /s/[0-9]+/0/g' "$1"
}

@test "cut anywhere in the middle" {
    sample=$samples/linux-nfsstat-ns-v3-centos64.txt
    size=$(stat -c %s "$sample")
    for ((at = 20; at < size - 45; at += 9)); do # a cut in the last row may leave all that counts
        head -c "$at" "$sample" >short
        hostile short short || { echo "cut at $at"; return 1; }
        if [ "$at" -gt 60 ]; then
            [[ $stderr =~ short:[0-9]+ ]]
        fi
    done
    for name in linux-nfsstat-4s-v40 linux-proc-net-rpc-nfsd-40ops made-freebsd13-nfsstat-s made-linux6-nfsstat-l \
        solaris-nfsstat-s-eisler linux-mountstats-v41 made-macos-nfsstat; do
        size=$(stat -c %s "$samples/$name.txt")
        # in the middle of the table that is taken
        line=$(grep -in 'commit\|proc4ops\|pathconf' "$samples/$name.txt" | head -n 1 | cut -d: -f1)
        head -n "$line" "$samples/$name.txt" | head -c -20 >short
        hostile short short: || { echo "$name"; return 1; }
    done
}

@test "samples that are cut" {
    sample=$samples/illumos-nfsstat-s-v2v3v4-TRUNCATED.txt
    hostile "$sample" "$sample:38"
    hostile "$sample:v4" "$sample:38"
    sample=$samples/linux-mountstats-v42-9col-TRUNCATED.txt
    hostile "$sample" "$sample:"
}

@test "zeros, devices, programs, directories, nothing" {
    head -c 10000 /dev/zero >zeros
    hostile zeros zeros
    hostile /dev/zero /dev/zero
    hostile "$(command -v true)" true
    hostile . .
    mkdir dir
    hostile dir dir directory
    : >empty
    hostile empty empty
    hostile /dev/null /dev/null
    printf '\n\n# nothing\n' >blank
    hostile blank blank
    head -c 100000 /dev/urandom >random
    hostile random random
    hostile missing missing "No such file"
    hostile empty/sub empty/sub
    hostile "$(printf 'x%.0s' $(seq 3000))"
}

@test "no permission" {
    [ "$(id -u)" -ne 0 ] || skip "root may read everything"
    printf 'read 100\n' >secret
    chmod 000 secret
    hostile secret secret "Permission denied"
}

@test "long lines, many lines, many bytes" {
    head -c 1000000 /dev/zero | tr '\0' x >long
    hostile long long
    { head -c 1000000 /dev/zero | tr '\0' '1' && echo ' 1%'; } >long
    hostile long long
    { listing 10 10 | head -n 2 && head -c 1000000 /dev/zero | tr '\0' '9'; } >long
    hostile long long:
    { printf 'read ' && head -c 1000000 /dev/zero | tr '\0' '9'; } >long
    hostile long long
    yes x | head -n 10000000 >many
    hostile many many
    yes x | head -n 5000000 >many
    hostile many many
    yes '' | head -n 10000000 >many
    hostile many many
    yes 'read 0' | head -n 2000000 >many
    hostile many many:2
    yes 'Server nfs v3:' | head -n 1000000 >many
    hostile many many
    yes 'null getattr setattr lookup access readlink' | head -n 300000 >many
    hostile many many
    yes 'proc3 22 0 1 0 0 0 0 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0' | head -n 300000 >many
    hostile many many
    head -c 20000000 /dev/urandom | base64 | head -c 20000000 >bytes
    hostile bytes bytes
}

@test "counts that are none, or too large" {
    huge=1$(printf '0%.0s' $(seq 30))
    for bad in 18446744073709551615 18446744073709551616 "$huge" -1 -100 1.5 0x10 1e9 12abc ''; do
        listing "$bad" 10 >table
        hostile table table:3 || { echo "count '$bad'"; return 1; }
        counters "$bad" 10 >proc
        hostile proc proc:1 || { echo "count '$bad'"; return 1; }
        sed -E "0,/READ: /s/READ: [0-9]+/READ: $bad/" "$samples/linux-mountstats-v41.txt" >mounts
        hostile mounts mounts: || { echo "count '$bad'"; return 1; }
    done
    listing 9223372036854775808 9223372036854775808 >table # each is a count, the sum is none
    hostile table table:
    counters 9223372036854775808 9223372036854775808 >proc
    hostile proc proc:
    for bad in 18446744073709551616 "$huge" -1 nan inf 101 0x10 ''; do
        printf 'write 50\nread %s\n' "$bad" >simple
        hostile simple simple:2 read || { echo "percentage '$bad'"; return 1; }
    done
    listing 0 0 >table
    hostile table table:1 "no calls"
}

@test "the largest counts are still counts" {
    counters 9000000000000000000 9000000000000000000 >proc
    nhfs 0 --dry-run --loopback -m proc --json -
    echo "$output" | python3 -c 'import json, sys
m = json.load(sys.stdin)
assert m["mix"] == {"getattr": 50, "read": 50}, m
assert m["mix_source"]["calls"] == 18000000000000000000, m["mix_source"]["calls"]'
}

@test "unknown ops, and names that try the terminal" {
    { listing 10 10 && printf 'wibble\n7         25%%\n'; } >table
    hostile table table:1 wibble --ignore-unknown
    counters 10 10 | sed 's/proc3 22/proc3 24/; s/$/ 5 6/' >proc
    hostile proc proc:1
    printf 'read 50\nwrite\033[31m 50\n' >colour
    hostile colour colour:2
    [[ $stderr != *$'\033'* ]]
    printf 'read 50\nwibble 50\n' >$'two\nlines'
    hostile $'two\nlines' :2
}

@test "sections of another version than asked for" {
    hostile "$samples/linux-nfsstat-4s-v40.txt:v3" linux-nfsstat-4s-v40.txt v3 "Server nfs v4"
    hostile "$samples/sunos4-nfsstat-s.txt:v3" sunos4-nfsstat-s.txt v3 "Server nfs v2"
    printf 'server v4\nputfh 50\nread 50\n' >simple
    hostile simple:v3 simple v3
    printf 'server v4\nputfh 60\nrenew 40\n' >simple
    hostile simple simple
    { cat "$samples/linux-nfsstat-ns-v3-centos64.txt" && printf '\nServer nfs v5:\nnull compound\n1 0%% 2 1%%\n'; } >newer
    hostile newer:v5 newer v5
}

@test "a selector that fits nothing: the line says what there is" {
    sample=$samples/linux-nfsstat-ns-v3-centos64.txt
    hostile "$sample:client" "$sample" client "Server nfs v3"
    hostile "$sample:v4" "$sample" v4 "Server nfs v3"
    hostile "$sample:client:v2" client v2 "Server nfs v3"
    hostile "$sample:/mnt" "$sample" /mnt "Server nfs v3"
    hostile "$sample:v5" "$sample:v5" server client v2 v4
    hostile "$sample:severs" severs server client
    hostile "$sample:v3x" v3x
    hostile "$samples/linux26-nfsstat-c-v3-ubuntu2007.txt:v2" linux26-nfsstat-c-v3-ubuntu2007.txt "Client nfs v2" "no calls"
    printf 'read 100\n' >simple
    hostile simple:v4 simple v4
    mounts=$samples/made-mountstats-two-mounts.txt
    hostile "$mounts:/nowhere" "$mounts" /nowhere /data /home /srv/home
    hostile "$mounts:v3:/home" "$mounts" /data /home
    hostile missing:v3 missing "No such file"
}

@test "--mix-from refuses a restart, the wrong order, the same listing twice, and other kinds" {
    sample=$samples/linux-proc-net-rpc-nfsd-59ops.txt
    zeroed "$sample" >zero
    between_refused "$sample" zero -- zero: restarted order
    sed 's/ 71158 / 100 /' "$sample" >restarted
    between_refused "$sample" restarted -- restarted: getattr 71158 100
    between_refused "$sample" "$sample" -- "$sample" "nothing was counted between"
    between_refused "$samples/linux-nfsstat-c-v3-387M.txt" "$samples/linux-nfsstat-ns-v3-centos64.txt" -- \
        linux-nfsstat-c-v3-387M.txt "Client nfs v3" linux-nfsstat-ns-v3-centos64.txt "Server nfs v3"
    printf 'read 100\n' >simple
    between_refused simple "$sample" -- simple
    between_refused "$sample" simple -- simple
    between_refused zero:client "$sample" -- client "Server nfs v3"
    between_refused missing "$sample" -- missing "No such file"
    between_refused zero "$samples/illumos-nfsstat-s-v2v3v4-TRUNCATED.txt:v4" -- TRUNCATED
}

@test "--mix-from needs two files, of which one at most is standard input" {
    sample=$samples/linux-proc-net-rpc-nfsd-59ops.txt
    between_refused -- BEFORE AFTER
    between_refused "$sample" -- BEFORE AFTER
    between_refused "$sample" "$sample" "$sample" -- BEFORE AFTER
    between_refused - - -- "standard input"
    zeroed "$sample" >zero
    run -3 bash -c "'$NHFSSTONE' --mix-from zero '$sample' >/dev/full"
}

@test "--json FILE beside the text; the same document as on standard output, which has nothing else" {
    nhfs 0 --dry-run --loopback -m sfs3 --json plan.json
    [[ $output == *"mix: sfs3"* ]]
    [ "$(ls)" = plan.json ]
    text=$output
    nhfs 0 --dry-run --loopback -m sfs3
    [ "$(echo "$text" | grep -v ' json ')" = "$(echo "$output" | grep -v ' json ')" ]
    nhfs 0 --dry-run --loopback -m sfs3 --json -
    echo "$output" | python3 -c 'import json, sys
a, b = json.load(sys.stdin), json.load(open("plan.json"))
for d in a, b:
    del d["command"], d["config"]["json"]
assert a == b'
    umask 027
    nhfs 0 --dry-run --loopback -m sfs3 --json masked.json
    [ "$(stat -c %a masked.json)" = 640 ]
    echo old >plan.json
    nhfs 0 --dry-run --loopback -m home --json plan.json
    python3 -c 'import json; assert json.load(open("plan.json"))["mix_source"]["name"] == "home"'
}

# unwritable FILE: status 3, one line that names it
unwritable() {
    nhfs 3 --dry-run --loopback --json "$1"
    one_line "${2:-$1}"
}

@test "--json FILE that cannot be written: an error, and nothing is left over" {
    unwritable nowhere/plan.json
    [ -z "$(ls -A)" ]
    : >file
    unwritable file/plan.json
    mkdir dir
    unwritable dir
    [ "$(ls -A)" = $'dir\nfile' ] && [ -z "$(ls -A dir)" ]
    unwritable "$(printf 'x%.0s' $(seq 300))" json
    echo old >old.json
    # as on a full disk
    run --separate-stderr bash -c "trap '' XFSZ; ulimit -f 1; '$NHFSSTONE' --dry-run --loopback --json old.json"
    [ "$status" -eq 3 ]
    one_line old.json
    [ "$(cat old.json)" = old ]
    nhfs 2 --dry-run --loopback -m missing --json old.json
    [ "$(cat old.json)" = old ]
    [ "$(ls -A)" = $'dir\nfile\nold.json' ]
}

@test "--json FILE in a directory that is not ours" {
    [ "$(id -u)" -ne 0 ] || skip "root may write everywhere"
    mkdir dir
    chmod 555 dir
    unwritable dir/plan.json
    [ -z "$(ls -A dir)" ]
}

@test "damage within a listing is told, not taken" {
    local s=$samples
    sed '28s/.*/364/' "$s/made-aix-nfsstat-both.txt" >no-percent
    hostile_line no-percent:server no-percent:28 percentage
    sed 26d "$s/made-linux-newest-nfsstat-s.txt" >no-names
    hostile_line no-names no-names:26 'cut off'
    head -c 1631 "$s/made-linux-newest-nfsstat-s.txt" >mid-word
    hostile_line mid-word mid-word:26 'cut off'
    sed 's/Server nfs v3/Server nfs v2/' "$s/linux-nfsstat-s-v3-tiny.txt" >wrong-title
    hostile_line wrong-title wrong-title:13 access title
    sed 12d "$s/linux26-nfsstat-c-v3-ubuntu2007.txt" >lost-title
    hostile_line lost-title lost-title: title
    sed '/WRITE:/p' "$s/linux-mountstats-v41.txt" >twice
    hostile_line twice twice: 'second time'
    sed 's/READ: 1000 /READ: /' "$s/linux-mountstats-v41.txt" >narrow
    hostile_line narrow narrow: READ
    sed 's/Version 3: (10856042 calls)/Version 3: (20856042 calls)/' "$s/solaris-nfsstat-s-eisler.txt" >other-total
    hostile_line other-total:v3 other-total: 20856042
    sed 's/getattr/getattrx/' "$s/linux-nfsstat-s-v3-tiny.txt" >unknown-name
    hostile_line unknown-name unknown-name:7 getattrx
    for bad in 'read nan' 'read 101x' 'read -5'; do
        printf '%s\n' "$bad" >first-line
        hostile_line first-line first-line
    done
}

# hostile_line MIX WORD...: refused in one line that has them
hostile_line() {
    nhfs 2 --dry-run --loopback -m "$1"
    shift
    one_line "$@"
    [ -z "$output" ]
}

@test "what stands around a listing does no harm: stamps, quotes, other blanks, prompts" {
    local s=$samples/linux26-nfsstat-s-v2v3-ubuntu2007.txt
    nhfs 0 --dry-run --loopback -m "$s" -q
    want=$(sed -n '/^  /p;/^file set/q' <<<"$output")
    [ -n "$want" ]
    { date '+%F %T' && cat "$s"; } >stamped
    sed 's/^/> /' "$s" >quoted
    sed 's/^/  | /' "$s" >barred
    sed 's/ /\xc2\xa0/g' "$s" >wide
    { echo 'host1 12:00' && cat "$s" && printf 'user@host:~$ '; } >prompted
    for file in stamped quoted barred wide prompted; do
        nhfs 0 --dry-run --loopback -m "$file" -q
        [ "$(sed -n '/^  /p;/^file set/q' <<<"$output")" = "$want" ]
    done
}

@test "--json FILE never replaces what is no file" {
    mkfifo fifo
    timeout 5 cat fifo >got &
    reader=$!
    run --separate-stderr timeout -k 1 5 "$NHFSSTONE" --dry-run --loopback --json fifo
    kill "$reader" 2>/dev/null || true
    wait
    [ -p fifo ]
}

@test "--json saves a result or a plan: elsewhere it is refused" {
    nhfs 2 --serve --json x.json
    one_line --json
    nhfs 2 --mix list --json x.json
    one_line --json
    counters 0 0 >before
    counters 10 10 >after
    nhfs 2 --json x.json --mix-from before after
    one_line --json
    nhfs 2 --dry-run --loopback --json
    one_line json
    nhfs 2 --dry-run --loopback --json ''
    [ "$(ls)" = $'after\nbefore' ]
}

@test "names that are not UTF-8 make valid JSON" {
    printf 'read 100\n' >$'mix\xff\xc3'
    for target in $'host:/a\xffb' $'host:/\xc3\x28' $'host:/\xed\xa0\x80' $'host:/tab\t"quote\\' $'host:/\xc3\xa9'; do
        "$NHFSSTONE" --dry-run -m $'mix\xff\xc3' --json - "$target" >doc
        python3 -c 'import json
d = json.loads(open("doc", "rb").read().decode("utf-8"))
assert d["target"][0]["export"].startswith("/"), d["target"]
assert d["mix"] == {"read": 100}'
    done
    python3 -c 'import json
assert json.load(open("doc"))["target"][0]["name"] == "host:/\u00e9"'
    printf 'read 100\n' >"$(printf 'x%.0s' {1..59})ééé" # cut for show inside a letter
    "$NHFSSTONE" --dry-run --loopback -m "$(printf 'x%.0s' {1..59})ééé" --json - >doc
    python3 -c 'import json; json.loads(open("doc", "rb").read().decode("utf-8"))'
}

@test "a full disk is an error" {
    run -3 bash -c "'$NHFSSTONE' --dry-run --loopback >/dev/full"
    run -3 bash -c "'$NHFSSTONE' --dry-run --loopback --json - >/dev/full"
    run -3 bash -c "'$NHFSSTONE' --dry-run --loopback --json plan.json >/dev/full"
    run -3 bash -c "'$NHFSSTONE' --dry-run --loopback --json - >&-"
}
