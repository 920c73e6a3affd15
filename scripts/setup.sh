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

# quietly NAME COMMAND...: keeps the output in a log file, shows its end on failure.
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
	[ "$status" -eq 0 ] && return
	printf '%s: %s failed with status %d; the last lines of %s:\n' \
		"$me" "$name" "$status" "$root/$log" >&2
	tail -n 40 "$log" | sed 's/^/    /' >&2
	return 1
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
	has_header libdeflate.h || missing+=(libdeflate-dev)
	has_header uthash.h || missing+=(uthash-dev)
	has_command gnuplot || missing+=(gnuplot-nox)
	[ "$1" = tests ] || return 0
	has_library cmocka || missing+=(libcmocka-dev)
	has_command tmux || missing+=(tmux)
	has_command xz || missing+=(xz-utils)
	has_command groff || missing+=(groff-base)
	has_command mandoc || missing+=(mandoc)
	# Without MPI everything but osprof-mpi is built and tested.
	in_ci || return 0
	has_command mpirun || missing+=(openmpi-bin)
	has_library ompi-c || has_library mpich || missing+=(libopenmpi-dev)
	has_command parallel || missing+=(parallel)
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

# install_missing WHAT
install_missing() {
	local by_hand
	look_for_missing "$1"
	[ ${#missing[@]} -eq 0 ] && return
	by_hand="apt-get install --no-install-recommends ${missing[*]}"
	has_command apt-get ||
		die "not found, and no apt-get to install it (Debian's names): ${missing[*]}"
	[ "$(id -u)" -eq 0 ] || has_command sudo ||
		die "needs root or sudo to install packages; run this as root: $by_hand"
	say "installing ${missing[*]}"
	quietly install apt_install "${missing[@]}" ||
		die "not installed: ${missing[*]}; if packages cannot be fetched here, run this elsewhere or later: $by_hand"
	look_for_missing "$1"
	[ ${#missing[@]} -eq 0 ] ||
		die "installed, but not found or too old: ${missing[*]} (see $root/$logs/install.log)"
}

# --- building -----------------------------------------------------------------

# configure FOLDER NEW CHANGED: words of options for a new folder, and for one
# that is there, which keeps all others. A folder that cannot be used is made
# anew: that of an interrupted setup, of another version of meson, or of the
# original that this checkout is a copy of.
configure() {
	local new changed
	read -ra new <<<"$2"
	read -ra changed <<<"$3"
	if grep -qF "\"source\": \"$root\"" "$1/meson-info/meson-info.json" &&
		meson configure "$1" "${changed[@]}" >/dev/null; then
		return
	fi
	rm -rf "$1"
	meson setup "$1" "${new[@]}"
}

compile() {
	configure "$@" && ninja -C "$1"
}

build() {
	say "building in $1/"
	quietly "$1" compile "$@" ||
		die "not built; if a package is installed in part, apt-get install --reinstall mends it; rm -r $1 begins anew"
}

cd "$root"
mkdir -p "$logs"
