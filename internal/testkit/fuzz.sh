#!/usr/bin/env bash
# Runs every fuzz target there is, one after another: "go test -fuzz" takes one
# target of one package at a time.
# Usage: fuzz.sh DURATION
set -euo pipefail

duration=$1
found=0
while IFS=: read -r file target; do
	found=$((found + 1))
	echo "== $target in $(dirname "$file")"
	go test -run='^$' -fuzz="^$target\$" -fuzztime="$duration" "./$(dirname "$file")"
done < <(grep -rEo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]+' . | sed -E 's/:func /:/; s#^\./##' | sort)

if ((found == 0)); then
	echo "no fuzz target found" >&2
	exit 1
fi
