#!/bin/sh
# repeat.sh HOST:/EXPORT [RUNS [LOAD [OPTION...]]]: the same load RUNS times, with mean and spread of the rate.
#
# A single run is an anecdote. This takes RUNS (5) runs at LOAD (auto) from the line that nhfsstone prints last. A run that
# carries a warning is told and counted out; with LOAD and OPTIONs as of nhfsstone: repeat.sh filer:/vol 10 500 -m sfs3
# NHFSSTONE names the program, if it is not in the PATH.
set -u
target=${1:?usage: repeat.sh HOST:/EXPORT [RUNS [LOAD [OPTION...]]]}
runs=${2:-5}
load=${3:-auto}
shift "$(($# > 3 ? 3 : $#))"
nhfsstone=${NHFSSTONE:-nhfsstone}
rates=
run=1
while [ "$run" -le "$runs" ]; do
    last=$("$nhfsstone" --quiet --load "$load" "$@" "$target")
    status=$?
    case $status in
    0) rates="$rates $(echo "$last" | sed -nE 's/.* ([0-9.]+) calls\/sec.*/\1/p')" ;;
    1) echo "run $run carries a warning and does not count" >&2 ;;
    *) exit "$status" ;;
    esac
    echo "run $run: $last" >&2
    run=$((run + 1))
done
echo "$rates" | awk '
    {
        if (NF == 0) { print "no valid run"; exit 1 }
        for (i = 1; i <= NF; i++) mean += $i / NF
        if (NF == 1) { printf "1 run: %.1f calls/sec\n", mean; exit }
        for (i = 1; i <= NF; i++) squares += ($i - mean) ^ 2
        deviation = sqrt(squares / (NF - 1))
        printf "%d runs: mean %.1f calls/sec, standard deviation %.1f (%.2f %%)\n", NF, mean, deviation, 100 * deviation / mean
    }'
