#!/usr/bin/env bats
# The command line: what is refused, how, and with which status.
load common

@test "--help goes to standard output and names every option" {
    nhfs 0 --help
    for name in load time calls warmup repeat mix procs outstanding arrival seed engine vers proto port mountport sec \
        resvport timeout retrans stable files file-size io-size fileset keep cleanup loopback serve dry-run verbose quiet \
        version help; do
        [[ $output == *"--$name"* ]] || { echo "--$name is missing"; return 1; }
    done
    [ -z "$stderr" ]
}

@test "--version" {
    nhfs 0 --version
    [[ $output =~ ^nhfsstone\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
}

@test "unknown options, long and short" {
    nhfs 2 --no-such-option
    one_line --no-such-option --help
    nhfs 2 -Z
    one_line -Z
}

@test "an option without its value" {
    nhfs 2 --loopback --load
    one_line load
    nhfs 2 -l
    one_line load
}

@test "absurd numbers are refused with the option, the value and the range" {
    for bad in "-p 0" "-p -1" "-p 1000000" "-l 0" "-l -5" "-l 1e3" "-l nan" "-l 1:2" "-l 10:5:1" "-l 1:1000000:1" "-t 0" \
        "-t 99999999999999999999" "-c 0" "-c 1.5" "-w -1" "--outstanding 0" "--outstanding 1025" "--seed x" "--port 0" \
        "--port 65536" "--files 0" "--file-size 0" "--io-size 1" "--io-size 2MiB" "--timeout 0" "--retrans 21" \
        "--arrival lumpy" "--engine diesel" "--proto sctp" "--sec krb5" "--stable maybe" "--vers 5" "--repeat 0"; do
        # shellcheck disable=SC2086
        nhfs 2 --loopback $bad
        one_line
        value=${bad#* }
        [[ $stderr == *"${value%%:*}"* ]] || { echo "the value is not named: $bad: $stderr"; return 1; }
    done
}

@test "NFS versions that cannot be driven are said to be so" {
    nhfs 2 --loopback --vers 4.1
    one_line "version 4.1"
    nhfs 2 --loopback --vers 2
    one_line "version 2"
}

@test "options that exclude each other" {
    nhfs 2 -q -v --loopback
    one_line quiet verbose
    nhfs 2 --loopback host:/x
    one_line loopback
    nhfs 2 --serve host:/x
    one_line serve
    nhfs 2 --files 10 --file-size 10 --fileset 100 --loopback
    one_line files file-size fileset
    nhfs 2 --keep --cleanup host:/x
    one_line keep cleanup
    nhfs 2 --proto udp --io-size 64KiB host:/x
    one_line io-size UDP
    nhfs 2 -p 2 a:/x b:/x c:/x
    one_line targets procs
}

@test "the loopback server's keys" {
    nhfs 2 --loopback=speed=11
    one_line speed service workers collapse
    nhfs 2 --loopback=service=often:2ms
    one_line service
    nhfs 2 --loopback=workers=0
    one_line workers
}

@test "mix files: missing, wrong sum, unknown op, empty, not text" {
    cd "$BATS_TEST_TMPDIR"
    nhfs 2 --loopback -m no-such-file
    one_line no-such-file "No such file"
    printf 'read 50\nwrite 40\n' >sum.mix
    nhfs 2 --loopback -m sum.mix
    one_line sum.mix 90 100
    printf 'read 50\nwibble 50\n' >op.mix
    nhfs 2 --loopback -m op.mix
    one_line op.mix:2 wibble
    : >empty.mix
    nhfs 2 --loopback -m empty.mix
    one_line empty.mix
    printf 'read\0 100\n' >binary.mix
    nhfs 2 --loopback -m binary.mix
    one_line binary.mix
    nhfs 2 --loopback -m .
    one_line directory
}

@test "a directory, or no target, is not yet an engine's target" {
    nhfs 3 /tmp
    one_line /tmp HOST:/EXPORT
    nhfs 3
    one_line HOST:/EXPORT --loopback
    nhfs 3 -e mount host:/x
    one_line mount
}

@test "--dry-run shows plan and mix, in both spellings, and touches nothing" {
    nhfs 0 --dry-run -c 10000 -l 100 -p 7 -m sfs3 -t 60 -v nowhere.invalid:/export
    classic=$output
    nhfs 0 --dry-run --calls 10k --load 100 --procs 7 --mix sfs3 --time 1m --verbose nowhere.invalid:/export
    [ "$output" = "$classic" ]
    [[ $output == *"nowhere.invalid:/export"* ]]
    [[ $output =~ lookup\ +27\.00 ]]
    [[ $output =~ calls\ +10000 ]]
    [[ $output =~ time\ +60s ]]
    [[ $output == *"writes: unstable"* ]] # sfs3 has COMMITs
    [ "$(echo "$output" | awk '$1 == "file" || / [0-9]+\.[0-9][0-9]$/ { s += $NF } END { printf "%.2f", s }')" = 100.00 ]
}

@test "--mix list shows every built-in mix, each summing to 100" {
    nhfs 0 --mix list
    echo "$output" | awk '
        NR == 1 { for (i = 2; i <= NF; i++) name[i] = $i; n = NF; next }
        NF == n && !stop { for (i = 2; i <= NF; i++) if ($i != "-") sum[i] += $i; next }
        { stop = 1 }
        END { for (i = 2; i <= n; i++) if (sum[i] != 100) { print name[i], sum[i]; exit 1 } }'
}

@test "nfsstat output from standard input is a mix" {
    cat >"$BATS_TEST_TMPDIR/nfsstat" <<'END'
Server nfs v3:
null         getattr      setattr      lookup       access       readlink
0         0% 750      75% 0         0% 0         0% 0         0% 0         0%
read         write        create       mkdir        symlink      mknod
250      25% 0         0% 0         0% 0         0% 0         0% 0         0%
remove       rmdir        rename       link         readdir      readdirplus
0         0% 0         0% 0         0% 0         0% 0         0% 0         0%
fsstat       fsinfo       pathconf     commit
0         0% 0         0% 0         0% 0         0%
END
    run --separate-stderr bash -c "'$NHFSSTONE' -m - --dry-run h:/x <'$BATS_TEST_TMPDIR/nfsstat'"
    [ "$status" -eq 0 ]
    [[ $output =~ getattr\ +75\.00 ]]
    [[ $output =~ read\ +25\.00 ]]
    [[ $output == *"Server nfs v3"* ]]
}

@test "a host that does not exist" {
    nhfs 3 -q -l 10 host.invalid:/export
    one_line host.invalid "cannot find"
}

@test "refused ports name what to check" {
    nhfs 3 -q -l 10 127.0.0.1:/export --port 1 --mountport 1
    one_line 127.0.0.1 "port 1" refused --mountport
    nhfs 3 -q -l 10 127.0.0.1:/export --port 1 --mountport 1 --proto udp --timeout 100ms --retrans 1
    one_line 127.0.0.1 "port 1" refused
}

@test "no port mapper: says to give the ports" {
    if timeout 1 bash -c '>/dev/tcp/127.0.0.1/111' 2>/dev/null; then
        skip "a port mapper runs on this machine"
    fi
    nhfs 3 -q -l 10 127.0.0.1:/export
    one_line "port mapper" --port --mountport
}

@test "results that cannot be written are an error" {
    run -3 bash -c "'$NHFSSTONE' --mix list >/dev/full"
    run -3 bash -c "'$NHFSSTONE' --loopback -q -l 50 -t 0.2 -w 0 -m null >/dev/full"
}
