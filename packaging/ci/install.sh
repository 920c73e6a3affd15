#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Installs the static osprof of a release below a folder, without root; also removes it again.
#
#	OSPROF_URL=ADDRESS install.sh [FOLDER]	the default is ~/.local
#	install.sh --remove [FOLDER]
#
# ADDRESS is where the files of a release are: osprof-VERSION-linux-amd64.tar.xz and its .sha256.
# If there are none for this processor, the sources, osprof-VERSION.tar.xz, are built, for which
# meson and what README.md lists must be installed. In a GitHub workflow, later steps find osprof.
set -eu
version=${OSPROF_VERSION:-0.2.0}
remove=false
if [ "${1:-}" = --remove ]; then
	remove=true
	shift
fi
folder=${1:-$HOME/.local}
list=$folder/share/osprof/installed.txt

if $remove; then
	[ -e "$list" ] || { echo "install.sh: nothing was installed in $folder" >&2 && exit 1; }
	while read -r file; do
		rm -f "$folder/$file"
	done <"$list"
	# Of the folders that held them, those that are empty now.
	folders=$(sed 's|/[^/]*$||' "$list" | sort -ru)
	rm -f "$list"
	cd "$folder"
	for held in $folders share/osprof; do
		rmdir -p "$held" 2>/dev/null || true
	done
	exit
fi

# Before anything is fetched: the folder, or the first above it that is there, takes files.
there=$folder
while [ ! -e "$there" ]; do there=$(dirname "$there"); done
[ -d "$there" ] && [ -w "$there" ] || {
	echo "install.sh: cannot write to $there" >&2
	exit 1
}
: "${OSPROF_URL:?install.sh: set OSPROF_URL to the address of a release}"
command -v curl >/dev/null || command -v wget >/dev/null || {
	echo 'install.sh: needs curl or wget' >&2
	exit 1
}
case $(uname -m) in
x86_64) arch=amd64 ;;
aarch64) arch=arm64 ;;
*) arch=$(uname -m) ;;
esac
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# fetch NAME: a file of the release and its checksum, which must be right.
fetch() {
	for file in "$1" "$1.$2"; do
		if command -v curl >/dev/null; then
			curl -fsSL -o "$scratch/$file" "$OSPROF_URL/$file" || return
		else
			wget -q -O "$scratch/$file" "$OSPROF_URL/$file" || return
		fi
	done
	(cd "$scratch" && sha256sum -c "$1.$2" >/dev/null) || {
		echo "install.sh: $OSPROF_URL/$1 has another checksum than it should" >&2
		exit 1
	}
}

if fetch "osprof-$version-linux-$arch.tar.xz" sha256; then
	(cd "$scratch" && xz -dc "osprof-$version-linux-$arch.tar.xz" | tar -xf -)
	tree=$scratch/osprof-$version-linux-$arch
elif fetch "osprof-$version.tar.xz" sha256sum; then
	(cd "$scratch" && xz -dc "osprof-$version.tar.xz" | tar -xf -)
	meson setup "$scratch/build" "$scratch/osprof-$version" --prefix="$folder" --libdir=lib \
		-Dtests=false -Dmpi=disabled >"$scratch/log" 2>&1 &&
		DESTDIR=$scratch/dest meson install -C "$scratch/build" >"$scratch/log" 2>&1 || {
		tail -n 20 "$scratch/log" >&2
		exit 1
	}
	tree=$scratch/dest$folder
else
	echo "install.sh: there is no osprof $version at $OSPROF_URL" >&2
	exit 1
fi
mkdir -p "$folder/share/osprof"
(cd "$tree" && find . ! -type d) >"$list"
cp -R "$tree/." "$folder"
echo "install.sh: installed $("$folder/bin/osprof" --version | head -n 1) in $folder"
[ -z "${GITHUB_PATH:-}" ] || echo "$folder/bin" >>"$GITHUB_PATH"
