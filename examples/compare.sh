#!/bin/sh
# compare.sh A:/EXPORT B:/EXPORT [PAIRS [OPTION...]]: which of two servers has the higher plateau?
#
# The runs alternate A B B A ..., so that whatever drifts (the network, this client) hits both alike. Prints each plateau and
# the ratio of the means; with a few pairs only, take a difference of a few percent for none.
# OPTIONs as of nhfsstone, but no --load (at one load that both can serve, both have just that rate): compare.sh old:/vol new:/vol 3 -m sfs3 -t 20
# NHFSSTONE names the program, if it is not in the PATH.
set -u
a=${1:?usage: compare.sh A:/EXPORT B:/EXPORT [PAIRS [OPTION...]]}
b=${2:?usage: compare.sh A:/EXPORT B:/EXPORT [PAIRS [OPTION...]]}
pairs=${3:-2}
shift "$(($# > 3 ? 3 : $#))"
nhfsstone=${NHFSSTONE:-nhfsstone}

plateau() { # NAME TARGET OPTION...
    name=$1 target=$2
    shift 2
    last=$("$nhfsstone" --quiet "$@" "$target")
    status=$?
    echo "$name: $last (status $status)" >&2
    [ "$status" -le 1 ] || exit "$status"
    echo "$name $status $(echo "$last" | sed -nE 's/.* ([0-9.]+) calls\/sec.*/\1/p')"
}

pair=1
results=
while [ "$pair" -le "$pairs" ]; do
    if [ $((pair % 2)) -eq 1 ]; then
        first=$(plateau A "$a" "$@") || exit
        second=$(plateau B "$b" "$@") || exit
    else
        first=$(plateau B "$b" "$@") || exit
        second=$(plateau A "$a" "$@") || exit
    fi
    results="$results$first
$second
"
    pair=$((pair + 1))
done
echo "$results" | awk -v a="$a" -v b="$b" '
    NF == 3 { n[$1]++; sum[$1] += $3; doubtful += $2 }
    END {
        if (!n["A"] || n["A"] != n["B"]) { print "not all runs ended: no comparison"; exit 3 }
        A = sum["A"] / n["A"]; B = sum["B"] / n["B"]
        printf "A %s: %.1f calls/sec\nB %s: %.1f calls/sec\nB/A: %.3f\n", a, A, b, B, B / A
        if (doubtful) { print "some runs carried warnings: see above before believing this"; exit 1 }
    }'
