#!/usr/bin/env bash
# Fetches a MySQL for tests into a folder: the server of Debian's unstable suite,
# since no stable suite has one, with the libraries it was built against. The
# mirror is the one that this machine's apt uses. Nothing that is installed here is
# touched, and root is not needed: apt gets folders of its own, believes that
# nothing is installed, and checks the signatures of the archive as ever.
# Usage: mysql.sh FOLDER, which then has a command mysqld
set -euo pipefail

folder=$(realpath -m "$1")
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

if [[ -x $folder/mysqld ]]; then
	exit 0
fi
if ! command -v apt-get >/dev/null || [[ ! -e $keyring ]]; then
	cat >&2 <<-TEXT
		MySQL is fetched by apt of Debian, which this machine has not. Set
		VIENKART_TEST_MYSQLD to a mysqld of your own, or start Docker and run
		"make test-mysql84".
	TEXT
	exit 1
fi

work=$folder.part
rm -rf "$work" "$folder"
mkdir -p "$work"/{lists,archives}/partial "$work/root"
trap 'rm -rf "$work"' EXIT

mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | head -n 1)
if [[ -z $mirror ]]; then
	echo "apt of this machine knows no mirror of Debian" >&2
	exit 1
fi
echo "deb [signed-by=$keyring] $mirror sid main" >"$work/sources.list"
# Perl is for scripts beside the server alone.
cat >"$work/status" <<-TEXT
	Package: perl
	Status: install ok installed
	Architecture: $(dpkg --print-architecture)
	Multi-Arch: allowed
	Version: 99
	Maintainer: none
	Description: left out
TEXT
apart=(
	-o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=/dev/null
	-o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=/dev/null
	-o "Dir::State=$work" -o "Dir::State::Lists=$work/lists" -o "Dir::State::Status=$work/status"
	-o "Dir::Cache=$work" -o "Dir::Cache::Archives=$work/archives"
	-o APT::Default-Release= -o Acquire::Languages=none
	-o Debug::NoLocking=true -o "APT::Sandbox::User=$(id -un)"
)
echo "Fetching MySQL for the tests"
apt-get "${apart[@]}" -qq update
apt-get "${apart[@]}" -qq -y --no-install-recommends --download-only install mysql-server-core >/dev/null

for package in "$work"/archives/*.deb; do
	dpkg-deb -x "$package" "$work/root"
done
rm -rf "$work"/{lists,archives,sources.list,status,pkgcache.bin,srcpkgcache.bin}

# The libraries are newer than those of this machine, so the server is run by the
# loader that came with them. The base folder comes last: --no-defaults must be first.
cat >"$work/mysqld" <<-'TEXT'
	#!/bin/sh
	root=$(cd "$(dirname "$0")/root" && pwd)
	for loader in "$root"/usr/lib*/ld-linux-*; do :; done
	for libraries in "$root"/usr/lib/*-linux-gnu; do :; done
	exec "$loader" --library-path "$libraries" "$root/usr/sbin/mysqld" "$@" --basedir="$root/usr"
TEXT
chmod +x "$work/mysqld"
"$work/mysqld" --no-defaults --version
mv "$work" "$folder"
