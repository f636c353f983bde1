#!/usr/bin/env bash
# Lists the packages whose tests know the flag -update, in the package itself
# or in one of the packages they import. The others would refuse it.
set -euo pipefail

definers=$(grep -rlE --include='*.go' 'flag\.Bool\("update"' . | xargs -r -n1 dirname | sort -u)
if [[ -z $definers ]]; then
	echo "no golden file: no package defines -update" >&2
	exit 1
fi
# shellcheck disable=SC2086 # One word for each folder.
paths=$(go list $definers)
go list -test -f '{{if .ForTest}}{{.ForTest}} {{join .Deps " "}}{{end}}' ./... |
	awk -v paths="$paths" '
		BEGIN { split(paths, list, "\n"); for (i in list) defines[list[i]] }
		{ for (i = 1; i <= NF; i++) if ($i in defines) print $1 }' |
	sort -u
