#!/usr/bin/env bats
# However a run ends, nothing is left behind and the status says how it ended.
load common

setup() {
    out=$BATS_TEST_TMPDIR/out
    err=$BATS_TEST_TMPDIR/err
}

# A long run in the background, in full swing.
start_run() {
    "$NHFSSTONE" --loopback -p 5 -l 500 -t 30 -w 0.1 "$@" >"$out" 2>"$err" 3>&- &
    pid=$!
    for _ in $(seq 100); do
        mapfile -t children < <(children_of "$pid")
        [ "${#children[@]}" -eq 6 ] && break # five and the built-in server
        sleep 0.05
    done
    [ "${#children[@]}" -eq 6 ]
    sleep 0.7
}

# finish SECONDS: wait for it; sets `code` and fails when it takes longer.
finish() {
    local before after
    before=$(date +%s%N)
    code=0
    wait "$pid" || code=$?
    after=$(date +%s%N)
    between "$(((after - before) / 1000000))" 0 "$(($1 * 1000))"
}

@test "SIGINT: a partial report within 2 s, marked, status 130, no child left" {
    start_run
    kill -INT "$pid"
    finish 2
    [ "$code" -eq 130 ]
    tail -n 1 "$out" | grep -Eq '^interrupted: [0-9.]+ sec [0-9]+ calls [0-9.]+ calls/sec'
    gone_within 1 "${children[@]}"
}

@test "SIGTERM: likewise, status 143" {
    start_run
    kill -TERM "$pid"
    finish 2
    [ "$code" -eq 143 ]
    grep -q '^interrupted: ' "$out"
    gone_within 1 "${children[@]}"
}

@test "SIGINT to the whole process group, as a terminal does" {
    start_run
    kill -INT "${children[@]}" "$pid"
    finish 2
    [ "$code" -eq 130 ]
    gone_within 1 "${children[@]}"
}

@test "SIGTERM to the whole group, as timeout and service managers send it: the report is still made" {
    run --separate-stderr timeout -s TERM 2.5 "$NHFSSTONE" --loopback -q -l 200 -t 20 -w 0 -m getattr
    [ "$status" -eq 124 ]
    [[ $output =~ ^interrupted:\ [0-9.]+\ sec\ [0-9]+\ calls ]]
    between "$(rate)" 150 250
}

@test "SIGHUP that nohup has had ignored stays ignored" {
    (trap '' HUP; exec "$NHFSSTONE" --loopback -q -l 100 -t 2 -w 0 -m null >"$out" 2>"$err" 3>&-) &
    pid=$!
    sleep 1
    kill -HUP "$pid"
    code=0
    wait "$pid" || code=$?
    [ "$code" -le 1 ] # 1: LATE
    grep -q '^2.00 sec' "$out"
}

@test "SIGINT with many calls outstanding: scratch directories are still removed" {
    serve service=fixed:100ms,workers=200
    "$NHFSSTONE" -q -l 300 -t 20 -w 0 -p 4 --outstanding 16 --files 10 --port "$port" --mountport "$mountport" \
        127.0.0.1:/ >"$out" 2>"$err" 3>&- &
    pid=$!
    sleep 4
    kill -INT "$pid"
    finish 2
    [ "$code" -eq 130 ]
    grep -q '^interrupted: ' "$out"
    # Removing takes 0.1 s a call: it may not be done in the time there is, but nothing is taken for what it is not.
    run ! grep -Eq 'not ours|decode' "$err"
    stop_server
}

@test "SIGINT while connecting" {
    # A listener whose queue is full answers no further connection.
    python3 -c '
import socket, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(0)
c = [socket.socket() for _ in range(4)]
for x in c: x.setblocking(False); x.connect_ex(s.getsockname())
print(s.getsockname()[1], flush=True); time.sleep(30)' >"$BATS_TEST_TMPDIR/port" 3>&- &
    listener=$!
    sleep 0.7
    port=$(cat "$BATS_TEST_TMPDIR/port")
    "$NHFSSTONE" -q -l 10 -m null --port "$port" --mountport "$port" 127.0.0.1:/ >"$out" 2>"$err" 3>&- &
    pid=$!
    sleep 0.7
    kill -INT "$pid"
    finish 1
    kill "$listener"
    [ "$code" -eq 130 ]
}

@test "SIGINT while scratch files are made: nothing of them stays" {
    serve
    "$NHFSSTONE" -q -l 100k -t 20 -w 0 -m remove --files 10 --port "$port" --mountport "$mountport" 127.0.0.1:/ \
        >"$out" 2>"$err" 3>&- &
    pid=$!
    sleep 1
    kill -INT "$pid"
    finish 3
    [ "$code" -eq 130 ]
    if [ ! -s "$err" ]; then
        nhfs 0 --cleanup --port "$port" --mountport "$mountport" 127.0.0.1:/
        [[ $output =~ ^removed:\ ([0-9]+) ]] && [ "${BASH_REMATCH[1]}" -lt 30 ]
    fi
    stop_server
}

@test "SIGINT with a server that no longer answers" {
    start_run
    # shellcheck disable=SC2009
    server=${children[0]} # forked first
    kill -STOP "$server"
    sleep 0.3
    kill -INT "$pid"
    finish 2
    [ "$code" -eq 130 ]
    gone_within 1 "${children[@]}"
}

@test "SIGINT during set-up: status 130" {
    serve
    kill -STOP "$server_pid"
    "$NHFSSTONE" -q -l 10 -m fsstat --port "$port" --mountport "$mountport" 127.0.0.1:/ >"$out" 2>"$err" 3>&- &
    pid=$!
    sleep 0.5
    kill -INT "$pid"
    finish 2
    [ "$code" -eq 130 ]
    [ "$(wc -l <"$err")" -eq 1 ]
    stop_server
}

@test "SIGKILL of the parent: children and server are gone within 1 s" {
    start_run
    kill -KILL "$pid"
    gone_within 1 "${children[@]}"
    wait "$pid" || true
}

@test "SIGKILL of a child: the run ends with a clear error, status 3" {
    start_run
    kill -KILL "${children[2]}"
    finish 3
    [ "$code" -eq 3 ]
    grep -Eq 'child [0-9]+ .*killed by signal 9' "$err"
    gone_within 1 "${children[@]}"
}

@test "the built-in server killed: likewise" {
    start_run
    kill -KILL "${children[0]}"
    finish 3
    [ "$code" -eq 3 ]
    grep -q 'built-in server was killed by signal 9' "$err"
    gone_within 1 "${children[@]}"
}

@test "--serve ends on SIGTERM with status 143" {
    serve
    kill -TERM "$server_pid"
    code=0
    wait "$server_pid" || code=$?
    [ "$code" -eq 143 ]
}

@test "a server that never answers: ends by its own time limits, status 3" {
    serve
    kill -STOP "$server_pid"
    # 0.1 + 0.2 + 0.4 s for the first call
    nhfs 3 -q -l 10 -m fsstat --timeout 100ms --retrans 2 --port "$port" --mountport "$mountport" 127.0.0.1:/
    one_line 127.0.0.1 "no answer"
    stop_server
}

@test "a server that stops answering in mid-run: counted as errors, no throughput, status 1" {
    serve
    ("$NHFSSTONE" -q -l 100 -t 3 -w 0 -m fsstat --timeout 100ms --retrans 2 --port "$port" --mountport "$mountport" \
        127.0.0.1:/ >"$out" 2>"$err" 3>&- || echo $? >"$BATS_TEST_TMPDIR/status") &
    sleep 1
    kill -STOP "$server_pid"
    wait $!
    [ "$(cat "$BATS_TEST_TMPDIR/status")" -eq 1 ]
    grep -q 'ERRORS: .*timeout' "$err"
    stop_server
}

@test "a stall of the server shows in the time from the due time, and nothing is invented" {
    # 6 s at 2000 calls/s, the server frozen for 1 s of it: calls due in that second wait 0.5 s on average, so the mean
    # over all is 1/6 * 500 ms = 83 ms (and a little more for catching up); the 90th percentile is about 400 ms.
    serve
    (sleep 2.5; kill -STOP "$server_pid"; sleep 1; kill -CONT "$server_pid") 3>&- &
    nhfs 0 -v -l 2000 -t 6 -w 0.2 -m null --port "$port" --mountport "$mountport" 127.0.0.1:/
    wait $!
    response=$(echo "$output" | sed -nE 's/^response +ms: mean ([0-9.]+).* p90 ([0-9.]+).*/\1 \2/p')
    between "${response% *}" 70 130
    between "${response#* }" 330 520
    service=$(echo "$output" | sed -nE 's/^service +ms: mean ([0-9.]+).*/\1/p')
    between "$service" 0 10
    [[ $output == *"waiting for earlier calls"* ]]
    [[ $output =~ \ 1(1999|2000)\ calls\  ]]
    stop_server
}
