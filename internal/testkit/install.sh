#!/usr/bin/env bash
# Installs what the tests need beside Go and is missing here: a MySQL, an XML
# schema validator and a browser. It does so by apt and as root only; elsewhere
# it says what to install and fails. With the word galera it installs what the
# tests on a cluster need instead.
set -euo pipefail

# System programs are not in the PATH of every user.
PATH=$PATH:/usr/sbin:/usr/local/sbin

has() {
	for name in "$@"; do
		if command -v "$name" >/dev/null 2>&1; then return 0; fi
	done
	return 1
}

docker_answers() {
	has docker && timeout 10 docker info >/dev/null 2>&1
}

galera_library() {
	for path in /usr/lib/galera /usr/lib64/galera-4 /usr/lib; do
		if [[ -e $path/libgalera_smm.so ]]; then return 0; fi
	done
	return 1
}

missing=()
if [[ ${1:-} == galera ]]; then
	has mariadbd || missing+=(mariadb-server)
	galera_library || missing+=(galera-4)
	has rsync || missing+=(rsync)
	has lsof || has ss || missing+=(iproute2)
else
	if [[ -z ${VIENKART_TEST_MYSQL_DSN:-}${VIENKART_TEST_MYSQLD:-} ]] && ! has mariadbd mysqld && ! docker_answers; then
		missing+=(mariadb-server)
	fi
	has xmllint || missing+=(libxml2-utils)
	# A browser without any font renders no text; apt's minimal install brings none.
	has chromium chromium-browser google-chrome || missing+=(chromium fonts-dejavu-core)
fi

if ((${#missing[@]} == 0)); then
	exit 0
fi

if ((EUID != 0)) || ! has apt-get; then
	cat >&2 <<-TEXT
		The tests need packages that are missing here (names as in Debian):
		    ${missing[*]}
		On Debian, run:
		    sudo apt-get install --no-install-recommends ${missing[*]}
		Elsewhere install a mariadbd or mysqld binary (or start Docker, or set
		VIENKART_TEST_MYSQLD or VIENKART_TEST_MYSQL_DSN), xmllint, and Chromium or Chrome; for a cluster
		MariaDB with its Galera provider, and rsync.
	TEXT
	exit 1
fi

# Only private servers are used, so that none may start as a service: exit code
# 101 tells the package scripts so. A policy that is already there is kept.
policy=/usr/sbin/policy-rc.d
if [[ ! -e $policy ]]; then
	trap 'rm -f "$policy"' EXIT
	printf '#!/bin/sh\nexit 101\n' >"$policy"
	chmod 755 "$policy"
fi

echo "Installing for the tests: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
# Without fresh lists an older list may still do.
apt-get update -qq || echo "apt-get update failed; trying the lists at hand" >&2
apt-get install -y -qq --no-install-recommends "${missing[@]}"
