#!/usr/bin/env bats
# Numbers against the built-in server, whose capacity is known: workers / mean service time.
# Rates of points below capacity are exact by design; the bounds allow for calls that a noisy machine sends late.
load common

@test "one fixed load: the classic last line, and only that with -q" {
    nhfs 0 --loopback -q -l 500 -t 2 -w 0.2
    [ "${#lines[@]}" -eq 1 ]
    [[ $output =~ ^[0-9.]+\ sec\ [0-9]+\ calls\ [0-9.]+\ calls/sec\ [0-9.]+\ msec/call$ ]]
    between "$(rate)" 475 500
}

@test "-c ends a point by the number of calls, and every op has its share within 0.1 point" {
    nhfs 0 --loopback -v -c 10000 -l 5000 -w 0.2 -p 7 -m sfs3
    [[ $output =~ \ 10000\ calls\  ]]
    echo "$output" | awk '$1 == "op" { on = 1; next } /^mix error/ { on = 0 }
        on { n++; d = $2 - $3; if (d < 0) d = -d; if (d > 0.1) { print; bad = 1 } } END { exit bad || n != 14 }'
}

@test "64 children with one call each a tenth of a second: the rate is still exact" {
    nhfs 0 --loopback -q -p 64 -l 20 -t 2 -w 0.2 -m getattr
    [[ $output =~ \ (38|39|40)\ calls\  ]]
}

@test "a load below one call in the time asked for: the rate is still what was asked for" {
    nhfs 0 --loopback -q -l 0.5 -t 0.3 -w 0 -m null
    [[ $output =~ ^2\.00\ sec\ 1\ calls\ 0\.50\ calls/sec ]]
    nhfs 0 --loopback -q -l 1.4 -t 2 -w 0 -m null # 3 calls: 2.14 s
    [[ $output =~ ^2\.14\ sec\ 3\ calls\ 1\.40\ calls/sec ]]
}

@test "service time is what the server takes: fixed 5 ms" {
    nhfs 0 --loopback=service=fixed:5ms,workers=8 -v -l 200 -t 2 -w 0.2 -m null
    # On an idle machine about 5.2 ms; a reply is never earlier.
    mean=$(echo "$output" | sed -nE 's/^service +ms: mean ([0-9.]+).*/\1/p')
    between "$mean" 5.0 7.5
}

@test "over capacity: the achieved rate is the capacity, LOAD NOT REACHED, status 1" {
    # 2 workers, 10 ms: 200 calls/s.
    nhfs 1 --loopback=service=fixed:10ms,workers=2 -l 400 -t 3 -w 0.5
    between "$(rate)" 185 202
    [[ $stderr == *"LOAD NOT REACHED"* ]]
    [[ $output == *"never sent"* ]]
}

@test "a curve: one line a load" {
    nhfs 0 --loopback -l 100:300:100 -t 0.5 -w 0.1
    [ "$(echo "$output" | grep -cE '^ +(100|200|300) ')" -eq 3 ]
}

@test "repeats of a fixed load give an interval" {
    nhfs 0 --loopback -l 200 -t 0.5 -w 0.1 -r 3 -m fsstat
    [[ ${lines[-1]} =~ \(3\ runs,\ \+-[0-9.]+%\)$ ]]
}

@test "ramp: the plateau is within 3 % of the capacity (fixed service, 500 calls/s)" {
    finds 485 515 --loopback=service=fixed:4ms,workers=2 -t 2 -w 0.2
    [[ ${lines[-1]} =~ ^plateau:\ [0-9.]+\ calls/sec\ at\ [0-9.]+\ msec/call\ \(mix\ legato, ]]
    [[ ${lines[-1]} != *"client ceiling"* ]]
}

@test "ramp: a first step that is already too high (50 calls/s)" {
    finds 48.5 51.5 --loopback=service=fixed:20ms,workers=1 -t 3 -w 0.2 -r 2 -m getattr
}

@test "ramp: capacity beyond 7 calls at a time is found by raising the concurrency" {
    # 20 ms, 64 workers: 3200 calls/s; with 7 calls outstanding only 350. The first replies come after 20 ms: 1 % of 2 s.
    finds 3104 3296 --loopback=service=fixed:20ms,workers=64 -t 2 -w 0.2 -m null
    [[ $output == *" outstanding"* ]]
}

@test "ramp with -p given: the concurrency is kept and CONCURRENCY LIMITED is noted, the result stays valid" {
    # 7 / 20 ms = 350 at most; whatever a call takes longer on a busy machine comes off it.
    nhfs 0 --loopback=service=fixed:20ms,workers=64 -t 1 -w 0.2 -m null -p 7
    between "$(rate)" 290 352
    [[ $stderr == *"CONCURRENCY LIMITED"* ]]
}

@test "ramp: a server that collapses past its peak is reported at its peak" {
    # 1 worker, 8 ms: 125 calls/s as long as no more than 4 calls are there at once. Evenly spaced calls keep to that
    # until 125; beyond it the queue fills up to the 7 outstanding and service takes 7/4 as long: 71. A pause of this
    # machine of 30 ms can bring the collapse on early, hence the low bound; without the search the answer would be 100.
    finds 105 129 --loopback=service=fixed:8ms,workers=1,collapse=4 --arrival constant -t 2 -w 0.2 -m null -p 7
    [[ $output == *"collapses"* ]]
}

@test "the capacity check: valid, and said to be the client's ceiling" {
    nhfs 0 --loopback -m fsstat -t 0.3 -w 0.1 -r 1
    [[ ${lines[-1]} == plateau:*"(client ceiling)" ]]
}

@test "a load that this client cannot generate is CLIENT LIMITED" {
    nhfs 1 --loopback -m null -l 10m -t 1 -w 0.2 --outstanding 64
    [[ $stderr == *"CLIENT LIMITED"* ]]
}

@test "errors are no throughput: stale handles" {
    nhfs 1 --loopback=stale=50% -q -l 500 -t 1 -w 0 -m fsstat
    between "$(rate)" 200 300
    [[ $stderr == *"ERRORS"*"NFS3ERR_STALE"* ]]
}

@test "lost calls over UDP are sent again" {
    nhfs 0 --loopback=drop=5% -v -l 200 -t 2 -w 0 -m fsstat --proto udp --timeout 50ms -p 16 --outstanding 8
    retransmissions=$(echo "$output" | sed -nE 's/^network: ([0-9]+) retrans.*/\1/p')
    # 400 calls, each try lost with 5 %: 21 expected, standard deviation 4.7.
    between "$retransmissions" 3 45
}

@test "broken connections are made again, and the calls on them" {
    nhfs 0 --loopback=disconnect-every=100 -v -l 1000 -t 1 -w 0 -m getattr --files 20
    between "$(echo "$output" | sed -nE 's/.*, ([0-9]+) reconnects.*/\1/p')" 7 30
}

@test "UDP and TCP, all 22 procedures one at a time" {
    serve
    for proto in tcp udp; do
        for op in null getattr setattr lookup access readlink read write create mkdir symlink mknod remove rmdir rename \
            link readdir readdirplus fsstat fsinfo pathconf commit; do
            nhfs 0 -q -m $op -l 300 -t 0.2 -w 0 --files 50 --proto $proto --port "$port" --mountport "$mountport" \
                127.0.0.1:/
        done
    done
    stop_server
}

@test "on a machine with time to spare a low rate is a clean, valid result" {
    # LATE may be the truth on a busy machine, but not five times in a row at 20 calls/s.
    for _ in 1 2 3 4 5; do
        run --separate-stderr "$NHFSSTONE" --loopback -q -l 20 -t 1 -w 0 -m null -p 2
        [ "$status" -eq 0 ] && break
    done
    [ "$status" -eq 0 ] && [ -z "$stderr" ]
}

@test "ramp: exponential service, many workers, close to 20,000 calls/s" {
    # 8 workers, 400 us: 20,000 calls/s; 3 % for the machine's noise on top of the 3 % that are the goal.
    finds 18800 20800 --loopback=service=exp:400us,workers=8 -t 1 -w 0.2 -m getattr --files 50
}

@test "a load that is too much for -c to end within a day is refused" {
    nhfs 2 --loopback -l 1 -c 1000g
    one_line calls hours
    nhfs 2 --loopback -l 100:1000:100 -r 200
    one_line points
}

@test "1000 children have less than 4 MiB of private memory each" {
    "$NHFSSTONE" --loopback -q -p 1000 -l 2000 -t 5 -w 0 >/dev/null 2>&1 3>&- &
    pid=$!
    sleep 5
    for child in $(children_of "$pid" | sed -n '10p;300p;600p;1000p'); do
        private=$(awk '/^Private/ { s += $2 } END { print s }' "/proc/$child/smaps_rollup")
        between "$private" 1 4095
    done
    wait "$pid" || [ $? -eq 1 ]
}

@test "a set of 100,000 files is made with calls outstanding, in seconds" {
    # 400,000 calls: one at a time, at 0.1 ms each, they would take 40 s.
    before=$(date +%s)
    nhfs 0 --loopback -q -m getattr -l 500 -t 0.5 -w 0 --files 100k --file-size 1KiB
    between $(($(date +%s) - before)) 0 30
}

@test "1000 children start, work and end" {
    nhfs 0 --loopback -q -p 1000 -l 2000 -t 1 -w 0.2 -m fsstat
    between "$(rate)" 1800 2000
}

@test "several targets are dealt to the children in turn" {
    serve
    nhfs 0 -q -l 200 -t 0.5 -w 0 -m getattr --files 10 --port "$port" --mountport "$mountport" 127.0.0.1:/ 127.0.0.1:/
    between "$(rate)" 170 200
    stop_server
}

@test "the configuration that is in effect is printed with -v" {
    nhfs 0 --loopback -v -l 1000 -t 0.5 -w 0 --outstanding 3 --seed 77 --arrival uniform
    [[ $output =~ outstanding\ +3 ]]
    [[ $output =~ seed\ +77 ]]
    [[ $output =~ arrival\ +uniform ]]
}
