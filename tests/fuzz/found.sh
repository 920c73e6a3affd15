#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Kept inputs that reach new code: one archive for each kind of target.
#
#	found.sh unpack ARCHIVE FOLDER     as files, for a fuzzer
#	found.sh add ARCHIVE FILE...       with these; of a folder all files
#	found.sh replace ARCHIVE FOLDER    with the files of the folder alone
#
# ARCHIVE is `found` (fuzz_read, fuzz_policy, fuzz_parts ...) or `region_found`
# (fuzz_region). A file is named by the SHA-1 of its bytes, as libFuzzer does it, so that
# what is there already is not kept twice, and the same files give the same archive.
set -eu

usage()
{
	sed -n 's/^#\t/usage: /p' "$0" >&2
	exit 2
}

[ $# -ge 3 ] || usage
verb=$1
archive=$(dirname "$(realpath "$0")")/$2.tar.xz
shift 2
[ -e "$archive" ] || usage
folder=$(mktemp -d)
trap 'rm -rf "$folder" "$folder.names" "$folder.xz"' EXIT

case $verb in
unpack)
	mkdir -p "$1"
	tar -xJf "$archive" -C "$1"
	exit
	;;
add) tar -xJf "$archive" -C "$folder" ;;
replace) ;;
*) usage ;;
esac
find "$@" -type f -exec sh -c 'for f; do
	cp "$f" "$0/$(sha1sum <"$f" | cut -d" " -f1)"
done' "$folder" {} +
find "$folder" -type f -printf '%P\n' | LC_ALL=C sort >"$folder.names"
tar --format=ustar --owner=0 --group=0 --numeric-owner --mtime=@0 --mode=0644 -C "$folder" \
	--no-recursion -T "$folder.names" -c | xz -9e >"$folder.xz"
cat "$folder.xz" >"$archive"
echo "$(tar -tJf "$archive" | wc -l) inputs in ${archive##*/}"
