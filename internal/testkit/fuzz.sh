#!/usr/bin/env bash
# Runs every fuzz target there is, one after another: "go test -fuzz" takes one
# target of one package at a time. What each did is added up at the end.
# Usage: fuzz.sh DURATION [TARGET]; FUZZ_PARALLEL bounds its workers.
set -euo pipefail

duration=$1
only=${2:-Fuzz[A-Za-z0-9_]+}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
found=0
total=0
while IFS=: read -r file target; do
	found=$((found + 1))
	echo "== $target in $(dirname "$file")"
	go test -run='^$' -fuzz="^$target\$" -fuzztime="$duration" -fuzzminimizetime=2s -parallel="${FUZZ_PARALLEL:-$(nproc)}" "./$(dirname "$file")" | tee "$log"
	# A slow target on a busy machine may get no further than its corpus.
	executions=$(grep -oE 'execs: [0-9]+' "$log" | tail -n1 | cut -d' ' -f2 || true)
	total=$((total + ${executions:-0}))
done < <(grep -rEo --include='*_test.go' "^func $only\(" . | sed -E 's/:func /:/; s#^\./##; s/\($//' | sort)

if ((found == 0)); then
	echo "no fuzz target found" >&2
	exit 1
fi
echo "== $found targets, $total executions, no failure"
