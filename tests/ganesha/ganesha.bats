#!/usr/bin/env bats
# Against a real server: nfs-ganesha on this machine, FSAL VFS, so that what is on the server can be looked at in
# $GANESHA_DATA. Run by `with-ganesha bats ...`.
load ../cli/common

setup_file() {
    [ -n "${GANESHA_DATA-}" ] || { echo "run me as: GANESHA_FSAL=vfs tests/ganesha/with-ganesha bats $0" >&2; return 1; }
}

setup() {
    rm -rf "${GANESHA_DATA:?}"/*
}

# g STATUS ARGUMENT...: nhfsstone on the test server
g() {
    local want=$1
    shift
    nhfs "$want" --port "$GANESHA_NFS_PORT" --mountport "$GANESHA_MOUNT_PORT" "$@"
}

@test "all 22 procedures, one at a time, TCP and UDP" {
    for proto in tcp udp; do
        for op in null getattr setattr lookup access readlink read write create mkdir symlink mknod remove rmdir rename \
            link readdir readdirplus fsstat fsinfo pathconf commit; do
            g 0 -v -m $op -l 400 -t 0.25 -w 0.05 --files 50 --proto $proto 127.0.0.1:/export
            # Only this op, and all of it without an error.
            echo "$output" | awk -v op=$op '$1 == op && NF == 10 { n = $4; errors = $5 } END { exit !(n >= 90 && n <= 100 &&
                errors == 0) }' || { echo "$op: $output"; return 1; }
        done
    done
}

@test "the default mix: exact shares over 10,000 calls, no errors, both transports" {
    for proto in tcp udp; do
        g 0 -v -c 10000 -l 4000 -w 0.2 --files 200 --proto $proto 127.0.0.1:/export
        [[ $output =~ \ 10000\ calls\  ]]
        echo "$output" | awk '$1 == "op" { on = 1; next } /^mix error/ { on = 0 }
            on { n++; d = $2 - $3; if (d < 0) d = -d; if (d > 0.1 || $5 > 0) { print; bad = 1 } } END { exit bad || n != 10 }'
    done
}

@test "a ramp ends in its plateau line" {
    # The server shares this machine with the children, so CLIENT LIMITED (status 1) is a truthful end too.
    run --separate-stderr timeout 120 "$NHFSSTONE" --port "$GANESHA_NFS_PORT" --mountport "$GANESHA_MOUNT_PORT" -t 0.5 \
        -w 0.1 --files 100 127.0.0.1:/export
    [ "$status" -le 1 ]
    [ "$status" -eq 0 ] || [[ $stderr == *"CLIENT LIMITED"* || $stderr == *LATE* ]]
    [[ ${lines[-1]} =~ ^plateau:\ [0-9.]+\ calls/sec\ at\ [0-9.]+\ msec/call\ \(mix\ legato,\ 7\ procs ]]
    between "$(rate)" 500 1000000
}

@test "a pure-fsstat run works on a read-only export, and makes no files" {
    g 0 -q -m fsstat -l 500 -t 0.5 -w 0 127.0.0.1:/ro
    [ -z "$(ls -A "$GANESHA_DATA")" ]
}

@test "a read-only export refuses the file set: one line, status 3" {
    g 3 -l 100 127.0.0.1:/ro
    one_line /ro NFS3ERR_ROFS
}

@test "exports: not there, not ours, with a space, a directory below one" {
    g 3 -l 100 127.0.0.1:/nope
    one_line /nope "permission denied" "exports /export"
    g 3 -l 100 127.0.0.1:/denied
    one_line /denied "permission denied"
    g 0 -q -l 100 -t 0.3 -w 0 --files 10 "127.0.0.1:/with space"
    mkdir -m 777 "$GANESHA_DATA/sub" "$GANESHA_DATA/sub/below it"
    g 0 -q -l 100 -t 0.3 -w 0 --files 10 "nfs://127.0.0.1:$GANESHA_NFS_PORT/export/sub/below%20it"
    [ -f "$GANESHA_DATA/sub/below it/nhfsstone.d/.nhfsstone" ]
    : >"$GANESHA_DATA/file"
    g 3 -l 100 127.0.0.1:/export/file
    one_line "not a directory"
    g 3 -l 100 127.0.0.1:/export/no/such
    one_line /export/no/such NOENT
}

@test "a server that wants a reserved port" {
    g 3 -l 100 -m fsstat 127.0.0.1:/resv
    one_line --resvport insecure
    [ "$(id -u)" -eq 0 ] || skip "needs root"
    g 0 -q -l 100 -t 0.3 -w 0 -m fsstat --resvport 127.0.0.1:/resv
    g 0 -q -l 100 -t 0.3 -w 0 -m fsstat --resvport --proto udp 127.0.0.1:/resv
}

@test "AUTH_SYS carries the caller's ids; AUTH_NONE works" {
    g 0 -q -l 100 -t 0.3 -w 0 -m fsstat --sec none 127.0.0.1:/export
    [ "$(id -u)" -eq 0 ] || skip "needs root"
    chmod 777 "$GANESHA_DATA"
    run setpriv --reuid 4242 --regid 4343 --clear-groups "$NHFSSTONE" -q -l 100 -t 0.3 -w 0 -m getattr --files 10 \
        --port "$GANESHA_NFS_PORT" --mountport "$GANESHA_MOUNT_PORT" 127.0.0.1:/export
    [ "$status" -eq 0 ]
    [ "$(stat -c %u:%g "$GANESHA_DATA/nhfsstone.d/sfs/d000000/f00000003")" = 4242:4343 ]
}

@test "IPv6" {
    [ -e /proc/net/if_inet6 ] && grep -q '^0*1 ' /proc/net/if_inet6 || skip "no ::1 on this machine"
    g 0 -q -l 100 -t 0.3 -w 0 --files 10 '[::1]:/export'
    g 0 -q -l 100 -t 0.3 -w 0 --files 10 --proto udp '[::1]:/export'
    g 0 -q -l 100 -t 0.3 -w 0 --files 10 "nfs://[::1]:$GANESHA_NFS_PORT/export"
}

@test "the file set: as many files and bytes as said, incompressible, made once and then re-used" {
    g 0 -l 100 -t 0.2 -w 0 -m fsstat 127.0.0.1:/export
    [ ! -e "$GANESHA_DATA/nhfsstone.d" ]
    g 0 -l 100 -t 0.2 -w 0 -m getattr --files 200 127.0.0.1:/export
    [[ $output == *"file set: 200 files, 5.5 MB"* ]]
    set_dir=$GANESHA_DATA/nhfsstone.d/sfs
    [ "$(find "$set_dir" -type f | wc -l)" -eq 200 ]
    # 2 * (33*1 + 21*2 + 13*4 + 10*8 + 8*16 + 5*32 + 4*64 + 3*128 + 2*256 + 1*1024) KiB
    [ "$(find "$set_dir" -type f -printf '%s\n' | awk '{ s += $1 } END { print s }')" -eq $((2 * 2671 * 1024)) ]
    packed=$(find "$set_dir" -type f -exec cat {} + | gzip -1 | wc -c)
    # Different files share stretches of the pattern by chance, next to each other only rarely.
    [ "$packed" -gt $((2 * 2671 * 1024 * 98 / 100)) ]
    before=$(find "$GANESHA_DATA" -type f -printf '%P %i %C@ %s\n' | sort)
    g 0 -q -l 100 -t 0.2 -w 0 -m read --files 100 --seed 9 127.0.0.1:/export
    [ "$(find "$GANESHA_DATA" -type f -printf '%P %i %C@ %s\n' | sort)" = "$before" ]
    # A larger set keeps the smaller one's files.
    g 0 -q -l 100 -t 0.2 -w 0 -m read --files 300 127.0.0.1:/export
    [ "$(find "$set_dir" -type f | wc -l)" -eq 300 ]
    [ "$(find "$GANESHA_DATA" -type f -printf '%P %i %C@ %s\n' | sort | grep -cFxf <(echo "$before"))" -eq 201 ]
}

@test "a file set cut short by an earlier run is completed" {
    g 0 -q -l 100 -t 0.2 -w 0 -m getattr --files 100 127.0.0.1:/export
    dir=$GANESHA_DATA/nhfsstone.d/sfs/d000000
    biggest=$(find "$dir" -size +1000k)
    truncate -s 5000 "$biggest"
    rm "$dir/f00000007" "$dir/l00000002"
    g 0 -q -l 100 -t 0.2 -w 0 -m getattr --files 100 127.0.0.1:/export
    [ "$(stat -c %s "$biggest")" -eq $((1024 * 1024)) ]
    [ -f "$dir/f00000007" ] && [ -L "$dir/l00000002" ]
    # No hole where the rest of the data should be.
    [ "$(gzip -1 <"$biggest" | wc -c)" -gt $((1024 * 1024)) ]
}

@test "scratch directories are gone after a run, and stay with --keep; --cleanup removes all" {
    g 0 -q -l 200 -t 0.5 -w 0 --files 20 127.0.0.1:/export
    [ -z "$(find "$GANESHA_DATA" -name 'run-*')" ]
    g 0 -q -l 200 -t 0.5 -w 0 --files 20 --keep 127.0.0.1:/export
    [ "$(find "$GANESHA_DATA" -name 'run-*' | wc -l)" -eq 7 ]
    g 0 --cleanup 127.0.0.1:/export
    [[ $output =~ ^removed:\ [0-9]+ ]]
    [ -z "$(ls -A "$GANESHA_DATA")" ]
    g 0 --cleanup 127.0.0.1:/export
    [[ $output == "removed: 0"* ]]
}

@test "what a killed run left is removed by --cleanup" {
    "$NHFSSTONE" --port "$GANESHA_NFS_PORT" --mountport "$GANESHA_MOUNT_PORT" -l 200 -t 20 -w 0 --files 20 \
        127.0.0.1:/export >/dev/null 2>&1 3>&- &
    pid=$!
    sleep 2
    kill -KILL "$pid"
    wait "$pid" || true
    [ -n "$(find "$GANESHA_DATA" -name 'run-*')" ]
    g 0 --cleanup 127.0.0.1:/export
    [ -z "$(ls -A "$GANESHA_DATA")" ]
}

@test "an interrupted run removes its scratch directories" {
    "$NHFSSTONE" --port "$GANESHA_NFS_PORT" --mountport "$GANESHA_MOUNT_PORT" -l 200 -t 20 -w 0 --files 20 \
        127.0.0.1:/export >/dev/null 2>&1 3>&- &
    pid=$!
    sleep 2
    kill -INT "$pid"
    wait "$pid" || code=$?
    [ "$code" -eq 130 ]
    [ -z "$(find "$GANESHA_DATA" -name 'run-*')" ]
}

@test "nothing else under the target is touched, by runs or by --cleanup" {
    mkdir -p "$GANESHA_DATA/precious/d000000"
    echo data | tee "$GANESHA_DATA/precious/f00000001" "$GANESHA_DATA/f00000001" >/dev/null
    ln -s precious "$GANESHA_DATA/link"
    snapshot() { find "$GANESHA_DATA" -path "$GANESHA_DATA/nhfsstone.d" -prune -o ! -path "$GANESHA_DATA" -printf \
        '%P %i %y %m %s %T@ %C@ %l\n' | sort; }
    before=$(snapshot)
    g 0 -q -l 500 -t 0.5 -w 0 --files 50 -m sfs3 127.0.0.1:/export
    g 0 --cleanup 127.0.0.1:/export
    [ "$(snapshot)" = "$before" ]
    [ ! -e "$GANESHA_DATA/nhfsstone.d" ]
}

@test "a nhfsstone.d that is not ours is refused and left alone: directory, file, symbolic link" {
    mkdir "$GANESHA_DATA/nhfsstone.d"
    echo mine >"$GANESHA_DATA/nhfsstone.d/thesis"
    g 3 -l 100 127.0.0.1:/export
    one_line "not ours" nhfsstone.d
    g 3 --cleanup 127.0.0.1:/export
    one_line "not ours"
    [ "$(cat "$GANESHA_DATA/nhfsstone.d/thesis")" = mine ]
    # A marker that is not our marker does not help.
    echo "marker" >"$GANESHA_DATA/nhfsstone.d/.nhfsstone"
    g 3 -l 100 127.0.0.1:/export
    rm -r "$GANESHA_DATA/nhfsstone.d"

    echo mine >"$GANESHA_DATA/nhfsstone.d"
    g 3 -l 100 127.0.0.1:/export
    one_line "not a directory"
    [ "$(cat "$GANESHA_DATA/nhfsstone.d")" = mine ]
    rm "$GANESHA_DATA/nhfsstone.d"

    mkdir "$GANESHA_DATA/elsewhere"
    ln -s elsewhere "$GANESHA_DATA/nhfsstone.d"
    g 3 -l 100 127.0.0.1:/export
    one_line "not a directory"
    g 3 --cleanup 127.0.0.1:/export
    [ -L "$GANESHA_DATA/nhfsstone.d" ] && [ -z "$(ls -A "$GANESHA_DATA/elsewhere")" ]
}

@test "foreign objects in place of ours are refused: symbolic link, directory, larger file" {
    echo mine >"$GANESHA_DATA/victim"
    for plant in "ln -s ../../../victim" "mkdir" "cp /bin/true"; do
        g 0 -q -l 100 -t 0.2 -w 0 -m write --files 20 --file-size 2KiB 127.0.0.1:/export
        file=$GANESHA_DATA/nhfsstone.d/size-2048/d000000/f00000005
        rm "$file"
        $plant "$file"
        g 3 -l 100 -m write --files 20 --file-size 2KiB 127.0.0.1:/export
        one_line f00000005 "left alone"
        # A larger regular file cannot be told from one of ours by --cleanup; what has another type stays.
        if [ ! -f "$file" ] || [ -L "$file" ]; then
            g 3 --cleanup 127.0.0.1:/export
            one_line "not ours"
            [ -e "$file" ] || [ -L "$file" ]
        fi
        rm -rf "$GANESHA_DATA/nhfsstone.d"
    done
    for name in nhfsstone.d/sfs nhfsstone.d/sfs/d000000 nhfsstone.d/sfs/d000000/l00000001; do
        g 0 -q -l 100 -t 0.2 -w 0 -m getattr --files 20 127.0.0.1:/export
        rm -rf "${GANESHA_DATA:?}/$name"
        echo mine >"$GANESHA_DATA/$name"
        g 3 -l 100 -m getattr --files 20 127.0.0.1:/export
        [ "$(cat "$GANESHA_DATA/$name")" = mine ]
        rm -rf "$GANESHA_DATA/nhfsstone.d"
    done
    [ "$(cat "$GANESHA_DATA/victim")" = mine ]
}

@test "--cleanup leaves foreign files inside our directory, and the directories that hold them" {
    g 0 -q -l 100 -t 0.2 -w 0 -m getattr --files 20 127.0.0.1:/export
    echo mine >"$GANESHA_DATA/nhfsstone.d/sfs/d000000/notes.txt"
    g 3 --cleanup 127.0.0.1:/export
    one_line notes.txt "left alone"
    [ "$(cat "$GANESHA_DATA/nhfsstone.d/sfs/d000000/notes.txt")" = mine ]
    [ "$(find "$GANESHA_DATA/nhfsstone.d" -type f | wc -l)" -eq 2 ] # that, and the marker
    rm "$GANESHA_DATA/nhfsstone.d/sfs/d000000/notes.txt"
    g 0 --cleanup 127.0.0.1:/export
    [ -z "$(ls -A "$GANESHA_DATA")" ]
}

@test "permission denied on the server: one line, status 3" {
    [ "$(id -u)" -eq 0 ] || skip "needs root"
    mkdir -m 755 "$GANESHA_DATA/private"
    run --separate-stderr setpriv --reuid 4242 --regid 4343 --clear-groups "$NHFSSTONE" -q -l 100 -m getattr \
        --port "$GANESHA_NFS_PORT" --mountport "$GANESHA_MOUNT_PORT" 127.0.0.1:/export/private
    [ "$status" -eq 3 ]
    one_line NFS3ERR_ACCES nhfsstone.d
}
