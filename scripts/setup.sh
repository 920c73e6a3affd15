# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What ./demo and ./check have in common: installing what is missing, and building.
# To be sourced by a bash script in the root of the checkout.
#
# A thing is missing when a probe does not find it, whoever installed it: where
# all is there, apt-get is not run, and systems without it will do. Only a
# missing thing is turned into the name of its Debian package.

set -euo pipefail

me=$(basename "$0")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
logs=build-logs # not in build/, which may have to be made anew
compiler=()
missing=()
parts=() # what was done, and how long it took

say() {
	printf '%s: %s\n' "$me" "$*"
}

die() {
	printf '%s: %s\n' "$me" "$*" >&2
	exit 1
}

in_ci() {
	[[ -n ${CI:-} && $CI != false ]]
}

# show_progress LOG: on a terminal, one line with the time and the last line of the log, until
# it is killed, or this script is.
show_progress() {
	local last began=$SECONDS
	[ -t 1 ] && [ "${TERM:-dumb}" != dumb ] || return 0
	trap 'printf "\r\033[K"; exit' TERM
	while kill -0 $$ 2>/dev/null; do
		last=$(tail -c 500 "$1" | tail -n 1 | tr -cd '[:print:]') || true
		last="  $((SECONDS - began)) s  $last"
		printf '\r%s\033[K' "${last:0:$((${COLUMNS:-80} - 1))}"
		sleep 0.5
	done
}

# quietly NAME COMMAND...: keeps the output in a log file.
quietly() {
	local name=$1 log=$logs/$1.log status=0 shower began=$SECONDS
	shift
	: >"$log"
	show_progress "$log" 2>/dev/null &
	shower=$!
	"$@" >"$log" 2>&1 </dev/null || status=$?
	kill "$shower" 2>/dev/null || true
	wait "$shower" || true
	parts+=("$name $((SECONDS - began)) s")
	return "$status"
}

# show_end NAME: of the log of what has failed for a reason that is not known.
show_end() {
	local log=$logs/$1.log
	printf '%s: %s failed; the last lines of %s:\n' "$me" "$1" "$root/$log" >&2
	tail -n 40 "$log" | sed 's/^/    /' >&2
}

# say_times: how long each part took.
say_times() {
	local all
	all=$(printf ', %s' "${parts[@]}")
	say "time: ${all:2}"
}

# --- what is missing ----------------------------------------------------------

# Candidates in meson's order. CC may hold arguments ("ccache gcc").
find_compiler() {
	local candidate
	for candidate in "${CC:-cc}" gcc clang; do
		read -ra compiler <<<"$candidate"
		has_header stdio.h && return
	done
	compiler=()
	return 1
}

has_header() {
	[ ${#compiler[@]} -gt 0 ] &&
		"${compiler[@]}" -fsyntax-only -x c - <<<"#include <stddef.h>
#include <$1>" >/dev/null 2>&1
}

has_command() {
	command -v "$1" >/dev/null
}

has_library() {
	has_command pkg-config && pkg-config --exists "$1"
}

# The version is that of meson.build.
has_meson() {
	local needed found
	needed=$(sed -n "s/.*meson_version: '>=\([0-9.]*\)'.*/\1/p" meson.build)
	found=$(meson --version 2>/dev/null) &&
		[ "$(printf '%s\n' "$needed" "$found" | sort -V | head -n 1)" = "$needed" ]
}

# look_for_missing WHAT: fills missing with names of Debian packages. WHAT is build,
# or tests, which is the build and more.
look_for_missing() {
	missing=()
	find_compiler || missing+=(gcc libc6-dev)
	has_meson || missing+=(meson)
	has_command ninja || has_command samu || missing+=(ninja-build)
	has_command pkg-config || missing+=(pkg-config)
	has_library gsl || missing+=(libgsl-dev)
	has_library zlib || missing+=(zlib1g-dev)
	has_library libzstd || missing+=(libzstd-dev)
	has_library liblzma || missing+=(liblzma-dev)
	has_library ncursesw || missing+=(libncurses-dev)
	has_library libuv || missing+=(libuv1-dev)
	has_library libdw || missing+=(libdw-dev)
	has_header csv.h || missing+=(libcsv-dev)
	has_header uthash.h || missing+=(uthash-dev)
	has_command gnuplot || missing+=(gnuplot-nox)
	[ "$1" = tests ] || return 0
	has_library cmocka || missing+=(libcmocka-dev)
	has_command tmux || missing+=(tmux)
	has_command xz || missing+=(xz-utils)
	has_command curl || has_command wget || missing+=(wget)
	has_command groff || missing+=(groff-base)
	has_command mandoc || missing+=(mandoc)
	# Without MPI everything but osprof-mpi is built and tested; without jsonschema all but schemas/.
	in_ci || return 0
	has_command mpirun || missing+=(openmpi-bin)
	has_library ompi-c || has_library mpich || missing+=(libopenmpi-dev)
	has_command parallel || missing+=(parallel)
	# Only for the Python that the package is for.
	[ "$(command -v python3)" != /usr/bin/python3 ] || python3 -c 'import jsonschema' 2>/dev/null ||
		missing+=(python3-jsonschema)
}

# --- installing ---------------------------------------------------------------

apt_get() {
	local as_root=()
	[ "$(id -u)" -eq 0 ] || as_root=(sudo)
	# Waits for a lock that another package manager holds, asks no questions.
	"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1 \
		apt-get -q -y -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
		-o Acquire::Retries=3 "$@"
}

# A source of packages that cannot be reached need not be one that matters here.
apt_install() {
	apt_get update || echo 'apt-get update failed: going on with the lists there are'
	apt_get install --no-install-recommends "$@"
}

# why_not_installed: what the user has to mend, if the log of apt-get says it in words known here.
why_not_installed() {
	local log=$logs/install.log
	if grep -qE 'dpkg was interrupted|dpkg --configure|--fix-broken|half-(installed|configured)' "$log"; then
		echo 'a package is half installed; as root, dpkg --configure -a && apt-get -f install mends it'
	elif grep -qiE 'no space left|enough free space' "$log"; then
		echo 'the disk is full'
	elif grep -qE 'Unable to locate package|no installation candidate' "$log"; then
		echo "apt-get does not know a package: $(grep -m 1 -oE "(package '?|Package '?)[a-z0-9.+-]+" "$log" |
			grep -oE '[a-z0-9.+-]+$'); is this Debian 12, Ubuntu 22.04 or later, with universe?"
	elif grep -qE '(resolv|connect)(e|ing|ion)?\b.*(fail|timed|refused)|Temporary failure|Could not (resolve|connect)|unreachable' "$log"; then
		echo 'packages cannot be fetched: is there a network?'
	else
		return 1
	fi
}

# install_missing WHAT
install_missing() {
	local by_hand why
	look_for_missing "$1"
	[ ${#missing[@]} -eq 0 ] && return
	by_hand="apt-get install --no-install-recommends ${missing[*]}"
	has_command apt-get ||
		die "not found, and no apt-get to install it (Debian's names): ${missing[*]}"
	[ "$(id -u)" -eq 0 ] || has_command sudo ||
		die "needs root or sudo to install packages; run this as root: $by_hand"
	# Here it may ask for a password: apt-get runs with its output in a log.
	[ "$(id -u)" -eq 0 ] || sudo env true ||
		die "sudo is not allowed to install packages; run this as root: $by_hand"
	say "installing ${missing[*]}"
	quietly install apt_install "${missing[@]}" || {
		why=$(why_not_installed) && die "$why (then: $by_hand; see $root/$logs/install.log)"
		show_end install
		die "not installed: ${missing[*]}; to see why, as root: $by_hand"
	}
	look_for_missing "$1"
	[ ${#missing[@]} -eq 0 ] ||
		die "installed, but not found or too old: ${missing[*]} (see $root/$logs/install.log)"
}

# --- building -----------------------------------------------------------------

# is_of FOLDER SOURCE: says whether meson made this build folder for this source. It writes
# letters beyond ASCII as numbers.
is_of() {
	python3 - "$@" <<'PYTHON' 2>/dev/null
import json, os, sys
with open(sys.argv[1] + "/meson-info/meson-info.json", encoding="utf-8") as f:
    sys.exit(not os.path.samefile(json.load(f)["directories"]["source"], sys.argv[2]))
PYTHON
}

# usable FOLDER CHANGED: says whether the build folder can be gone on with, with these options.
usable() {
	local changed
	read -ra changed <<<"$2"
	if [ ! -d "$1/meson-info" ]; then
		why='of a setup that was interrupted'
	elif ! is_of "$1" "$root"; then
		why='of a checkout at another path'
	elif ! meson configure "$1" ${changed[@]+"${changed[@]}"} >"$logs/configure.log" 2>&1 </dev/null; then
		why='of another version of meson or osprof'
	else
		return 0
	fi
	return 1
}

# compile FOLDER OPTION...: options for a folder that is not there.
compile() {
	local folder=$1
	shift
	{ [ -d "$folder" ] || meson setup "$folder" "$@"; } && ninja -C "$folder"
}

# build FOLDER NEW CHANGED: words of options for a new folder, and for one that is there, which
# keeps all others. A folder that cannot be used is made anew.
build() {
	local new why
	read -ra new <<<"$2"
	if [ -e "$1" ] && ! usable "$1" "$3"; then
		[ -z "$(ls -A "$1" 2>/dev/null)" ] || [ -e "$1/meson-private" ] || [ -e "$1/meson-info" ] ||
			die "$1 is no build folder of meson: move it away"
		say "$1/ is $why: it is made anew"
		rm -rf "$1"
	fi
	say "building in $1/"
	quietly "$1" compile "$1" ${new[@]+"${new[@]}"} || {
		show_end "$1"
		die "not built; if a package is installed in part, apt-get install --reinstall mends it; rm -r $1 begins anew"
	}
}

cd "$root"
mkdir -p "$logs"
