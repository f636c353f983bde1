#!/usr/bin/env bash
# Looks for known vulnerabilities of the modules this code calls. A finding
# fails. Where the database of vulnerabilities cannot be reached nothing is
# known, which is said loudly and is no failure: lint must work offline.
# Usage: vuln.sh GOVULNCHECK, which is built when it is missing
set -uo pipefail

skip() {
	cat >&2 <<-TEXT
		********************************************************************
		SKIPPED: DEPENDENCIES WERE NOT LOOKED UP for known vulnerabilities.
		$1
		Run "make vuln" where the network can be reached, before a release.
		********************************************************************
	TEXT
	exit 0
}

if [[ ! -x $1 ]] && ! make "$1" >&2; then
	skip "The program that looks them up cannot be fetched."
fi
output=$("$1" ./... 2>&1)
code=$?
# 3 is the exit code of govulncheck for findings.
if ((code == 3)); then
	echo "$output"
	echo "KNOWN VULNERABILITIES ARE CALLED: see above for the versions without them." >&2
	exit 1
fi
# Whatever else it fails with is of the database, which it fetches first, or of the code, which was built before.
if ((code != 0)) && grep -q 'fetching vulnerabilities' <<<"$output"; then
	skip "The database cannot be reached: $(grep -m1 'fetching vulnerabilities' <<<"$output")"
fi
echo "$output"
exit "$code"
