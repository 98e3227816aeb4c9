# Shared by the command-line tests. NHFSSTONE names another binary (a sanitized one, say).
# bats sets status, output and stderr; the ports are for the tests:
# shellcheck disable=SC2154,SC2034
bats_require_minimum_version 1.5.0
NHFSSTONE=${NHFSSTONE:-$BATS_TEST_DIRNAME/../../build/nhfsstone}

# Did nothing but a busy machine cast doubt on the result? Then status 1 is the truth, and no fault of the program.
only_late() {
    [ "$status" -eq 1 ] && [ -n "$stderr" ] && ! echo "$stderr" | grep -qv '^LATE: '
}

# nhfs STATUS ARGUMENT...: run the program; its exit status must be STATUS, and it must end within a minute and a half.
nhfs() {
    local want=$1
    shift
    run --separate-stderr timeout -k 5 90 "$NHFSSTONE" "$@"
    if [ "$status" -ne "$want" ] && ! { [ "$want" -eq 0 ] && only_late; }; then
        echo "status $status instead of $want: nhfsstone $*" "$output" "$stderr" >&2
        return 1
    fi
}

# stderr must be one line that holds every argument.
one_line() {
    [ "${#stderr_lines[@]}" -eq 1 ] || { echo "not one line: $stderr" >&2; return 1; }
    local part
    for part in "$@"; do
        [[ $stderr == *"$part"* ]] || { echo "'$part' is not in: $stderr" >&2; return 1; }
    done
}

# between VALUE LOW HIGH: decimal numbers
between() {
    awk -v v="$1" -v l="$2" -v h="$3" 'BEGIN { exit !(v >= l && v <= h) }' ||
        { echo "$1 is not between $2 and $3" >&2; return 1; }
}

# The last line's rate, of either form.
rate() {
    echo "$output" | tail -n 1 | sed -nE 's/.* ([0-9.]+) calls\/sec.*/\1/p'
}

# finds LOW HIGH ARGUMENT...: a ramp whose plateau is between the two. A busy spell of the machine may spoil one run, so there are
# three tries: a program that is wrong is wrong in all of them.
finds() {
    local low=$1 high=$2 try
    shift 2
    for try in 1 2 3; do
        nhfs 0 "$@" || continue
        between "$(rate)" "$low" "$high" && return 0
        echo "try $try: $output" >&2
    done
    return 1
}

# A server of our own, alone, in the background: serve KEYS. Sets server_pid, port, mountport.
serve() {
    local out=$BATS_TEST_TMPDIR/serve.out
    : >"$out"
    "$NHFSSTONE" --serve="${1-}" >"$out" 2>&1 3>&- &
    server_pid=$!
    for _ in $(seq 100); do
        grep -q '^serving:' "$out" && break
        sleep 0.05
    done
    port=$(sed -n 's/.*serving: port=\([0-9]*\).*/\1/p' "$out")
    mountport=$(sed -n 's/.*mountport=\([0-9]*\).*/\1/p' "$out")
    [ -n "$port" ]
}

stop_server() {
    if [ -n "${server_pid-}" ]; then
        kill -CONT "$server_pid" 2>/dev/null || true
        kill "$server_pid" 2>/dev/null || true
        wait "$server_pid" 2>/dev/null || true
        server_pid=
    fi
}

# Descendants of process $1 (children of nhfsstone).
children_of() {
    ps -o pid= --ppid "$1" | tr -d ' '
}

# Wait until none of the given processes exists, at most $1 seconds.
gone_within() {
    local limit=$1 pid left=1
    shift
    for _ in $(seq "$((limit * 50))"); do
        left=0
        for pid in "$@"; do
            [ -d "/proc/$pid" ] && [ "$(ps -o stat= -p "$pid" | cut -c1)" != Z ] && left=1
        done
        [ $left -eq 0 ] && return 0
        sleep 0.02
    done
    echo "still there: $*" >&2
    return 1
}
