#!/bin/sh
# nightly.sh DIRECTORY TARGET...: measure a server every night, keep each result, and say whether it has become slower.
# The first run makes DIRECTORY/base.json; later ones are compared with it. Exit status: 0 no slower, 1 slower by more than
# 5 % (or a result that should not be believed), others as nhfsstone's. For cron:
#
#     15 3 * * *  nightly.sh /var/lib/nhfsstone server:/export || mail -s "server:/export" admin </dev/null
#
# NHFSSTONE names the program, OPTIONS its options (default: ten runs of 60 s at 500 calls/s and a fixed seed).
set -eu
if [ $# -lt 2 ]; then
    echo "usage: nightly.sh DIRECTORY TARGET..." >&2
    exit 2
fi
directory=$1
shift
nhfsstone=${NHFSSTONE:-nhfsstone}
mkdir -p "$directory"
new=$directory/$(date +%Y-%m-%d).json
# shellcheck disable=SC2086
"$nhfsstone" ${OPTIONS:---load 500 --time 60 --repeat 10} --quiet --json "$new" "$@"
if [ ! -e "$directory/base.json" ]; then
    cp "$new" "$directory/base.json"
    exit 0
fi
exec "$nhfsstone" --compare "$directory/base.json" "$new" --fail-if slower=5%
