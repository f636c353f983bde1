#!/usr/bin/env bash
# Creates and issues one invoice for an order of yours, and does each once however often it has to ask:
#
#   SERVER=http://127.0.0.1:8080 TOKEN=... ./client.sh ORDER PARTNER
#
# Needs curl 7.84 or later.
set -euo pipefail

if (($# != 2)) || [[ -z ${SERVER:-} || -z ${TOKEN:-} ]]; then
	echo "usage: SERVER=... TOKEN=... $0 ORDER PARTNER" >&2
	exit 2
fi
order=$1 partner=$2

# Tries before giving up, after which the same command may be run again.
most=8

# is_temporary STATUS ANSWER: may the same request simply be sent again?
is_temporary() {
	local status=$1 answer=$2
	case $answer in
	*'"retryWith":"same_key"'*) [[ $status == 5* || $status == 429 || $answer == *'"code":"idempotency_in_progress"'* ]] ;;
	*'"retryWith":'*) return 1 ;;
	*) [[ $status == 5* || $status == 429 ]] ;; # not from the server, but from something before it
	esac
}

# once PATH KEY BODY prints the answer of an operation that happens once.
once() {
	local path=$1 key=$2 body=$3 attempt got answer status after wait pause=200
	for ((attempt = 1; attempt <= most; attempt++)); do
		after=0
		# Longer than the 30 seconds that the server gives the work.
		if got=$(curl --silent --show-error --max-time 35 --write-out '\n%{http_code} %header{retry-after}' \
			--header "Authorization: Bearer $TOKEN" --header 'Content-Type: application/json' \
			--header "Idempotency-Key: $key" --data-raw "$body" "$SERVER$path"); then
			answer=${got%$'\n'*}
			read -r status after <<<"${got##*$'\n'} "
			if [[ $status == 200 ]]; then
				printf '%s\n' "$answer"
				return
			fi
			if ! is_temporary "$status" "$answer"; then
				echo "$path is refused with $status: $answer" >&2
				return 1
			fi
		fi # No answer, or half of one: it may have happened, and the same key finds out.
		((attempt < most)) || break
		wait=$pause
		if [[ $after =~ ^[0-9]+$ ]] && ((after * 1000 > wait)); then wait=$((after * 1000)); fi
		wait=$((wait + RANDOM % (wait / 2)))
		sleep "$((wait / 1000)).$(printf %03d $((wait % 1000)))"
		pause=$((pause * 2 < 10000 ? pause * 2 : 10000))
	done
	echo "$path has no answer after $most tries; run the same again later" >&2
	return 1
}

# member NAME ANSWER is the first text of that name; an answer begins with the members of the document itself.
member() { [[ $2 =~ \"$1\":\"([^\"]*)\" ]] && printf '%s\n' "${BASH_REMATCH[1]}"; }

# The order exists once in your books, so its name and the step make a key that a new run of this program makes again.
draft=$(once /v1/sales/invoices/create "$order create" \
	'{"partnerId":"'"$partner"'","lines":[{"description":"Consulting","quantity":2,"unitPriceExclVat":"50.00"}]}')
issued=$(once /v1/sales/invoices/issue "$order issue" '{"id":"'"$(member id "$draft")"'"}')
member fullNumber "$issued"
