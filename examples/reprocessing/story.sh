#!/usr/bin/env bash
# A measure is mended while events go on arriving: rebuild, compare, promote, roll back, retire.
# On the departures of examples/flights, in a warehouse of its own. Prints what docs/reprocessing.md shows.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
flights=examples/flights
story=$PWD/${1:-reprocessing-warehouse}
rm -rf "$story"
mkdir -p "$story/landing"
export TIDEMARK_WAREHOUSE=$story/warehouse
pipeline=$story/flights.yaml
sed "s|path: .*|path: $story/landing|" $flights/flights.yaml > "$pipeline"

# The day on which the planes really left is the day on which their records arrive.
land() {
  for day in "$@"; do
    gzip -dc $flights/flights.jsonl.gz | grep "\"actual_departure\":\"2013-01-$day" > "$story/$day.jsonl"
    touch -d "2013-01-$day 23:59:59Z" "$story/$day.jsonl"
    mv "$story/$day.jsonl" "$story/landing/"
  done
}

# Runs a command and shows it with what it says; some of the commands are meant to be refused.
tidemark() {
  local shown="${*:2}"
  echo "\$ tidemark $1 flights.yaml${shown:+ $shown}"
  bin/tidemark "$1" "$pipeline" "${@:2}" 2>&1 && ended=0 || ended=$?
  if [[ $ended != 0 ]]; then echo "(exit $ended)"; fi
  echo
}

for day in 01 02 03 04 05; do
  land $day
  if [[ $day == 01 ]]; then bin/tidemark init "$pipeline" > /dev/null; fi
  bin/tidemark stream "$pipeline" --available-now > /dev/null
done
bin/tidemark settle "$pipeline" > /dev/null

echo "# The file is mended: a plane that leaves early takes no delay away from another."
sed -i 's/sum(departure_delay_minutes)/sum(greatest(departure_delay_minutes, 0))/' "$pipeline"
tidemark settle
tidemark plan
tidemark rebuild
echo "# Events go on arriving; the stream feeds both generations, the settlement adopts into both."
land 06 07
tidemark stream --available-now
tidemark settle
tidemark compare --most 3
tidemark promote
tidemark compare --expect delay_minutes
tidemark canary 10%
tidemark sql "SELECT max(generation) AS generation, sum(delay_minutes) AS delay_minutes FROM flights" \
  --conf tidemark.canary=on
tidemark promote
tidemark sql "SELECT max(generation) AS generation, sum(delay_minutes) AS delay_minutes FROM flights"
tidemark roll-back
tidemark sql "SELECT max(generation) AS generation, sum(delay_minutes) AS delay_minutes FROM flights"
tidemark retire g2
tidemark status
