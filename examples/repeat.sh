#!/bin/sh
# repeat.sh HOST:/EXPORT [RUNS [LOAD [OPTION...]]]: the same load RUNS times, with mean and spread of the rate.
#
# A single run is an anecdote. This takes RUNS (5) runs at LOAD (auto) from the line that nhfsstone prints last. A run that
# carries a warning is told and counted out; with LOAD and OPTIONs as of nhfsstone: repeat.sh filer:/vol 10 500 -m sfs3
set -u
target=${1:?usage: repeat.sh HOST:/EXPORT [RUNS [LOAD [OPTION...]]]}
runs=${2:-5}
load=${3:-auto}
shift "$(($# > 3 ? 3 : $#))"
nhfsstone=${NHFSSTONE:-nhfsstone}
run=1
while [ "$run" -le "$runs" ]; do
    # --loopback is a target too: REPEAT_TARGET=--loopback
    if last=$("$nhfsstone" --quiet --load "$load" "$@" "$target"); then
        echo "run $run: $last" >&2
        echo "$last" | sed -nE 's/.* ([0-9.]+) calls\/sec.*/\1/p'
    else
        status=$?
        echo "run $run: status $status, not counted: $last" >&2
        [ "$status" -eq 1 ] || exit "$status"
    fi
    run=$((run + 1))
done | awk '
    { n++; sum += $1; squares += $1 * $1 }
    END {
        if (n == 0) { print "no valid run"; exit 1 }
        mean = sum / n
        if (n < 2) { printf "1 run: %.1f calls/sec\n", mean; exit }
        variance = (squares - sum * sum / n) / (n - 1)
        printf "%d runs: mean %.1f calls/sec, standard deviation %.1f (%.2f %%)\n", n, mean, sqrt(variance > 0 ? variance : 0),
            100 * sqrt(variance > 0 ? variance : 0) / mean
    }'
