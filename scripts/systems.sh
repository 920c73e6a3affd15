#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Runs ./demo and ./check on bare systems, as somebody would who has just got the source.

usage() {
	cat <<'HELP'
usage: scripts/systems.sh [--folder FOLDER] [--debian URL] [--ubuntu URL]
                          [--unsigned] [--only RUNS] [SYSTEM...]

Makes each SYSTEM (debian-12, debian-13, ubuntu-22.04, ubuntu-24.04; all of
them by default) with debootstrap, and runs ./demo and ./check of what is
committed here in a chroot: as root alone, and as an ordinary user with sudo
beside four busy loops; on debian-12, ./check five times more. Needs root.

  --folder FOLDER  where systems, logs and results are kept (default
                   /var/tmp/osprof-systems). A row that is in its table for
                   this commit is not run again: remove results.tsv to run all
  --debian URL     mirrors; by default those of apt's configuration, or the
  --ubuntu URL     folder of that name beside the other's
  --unsigned       where a system's keyring is not installed, trust the mirror
  --only RUNS      of the runs only root, user or again

The status is 0 only if all rows have passed.
HELP
}

set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
folder=/var/tmp/osprof-systems
unsigned=false
only=
declare -A mirror=()
declare -A suite=([debian-12]=bookworm [debian-13]=trixie [ubuntu-22.04]=jammy [ubuntu-24.04]=noble)

die() {
	printf 'systems.sh: %s\n' "$*" >&2
	exit 2
}

while [ $# -gt 0 ]; do
	case $1 in
	--folder) folder=${2:?} && shift ;;
	--debian | --ubuntu) mirror[${1#--}]=${2:?} && shift ;;
	--unsigned) unsigned=true ;;
	--only) only=${2:?} && shift ;;
	-h | --help) usage && exit ;;
	-*) die "unknown argument $1; scripts/systems.sh --help" ;;
	*) break ;;
	esac
	shift
done
[ $# -gt 0 ] || set -- debian-12 debian-13 ubuntu-22.04 ubuntu-24.04
for system; do
	[ -n "${suite[$system]-}" ] || die "unknown system $system; scripts/systems.sh --help"
done
case $only in
'' | root | user | again) ;;
*) die "--only takes root, user or again, not $only" ;;
esac
[ "$(id -u)" -eq 0 ] || die 'needs root, for chroot'
for tool in debootstrap unshare git; do
	command -v "$tool" >/dev/null || die "needs $tool"
done
commit=$(git -C "$source" rev-parse --short HEAD)
mkdir -p "$folder/logs"
rows=$folder/results.tsv
touch "$rows"

# --- systems ------------------------------------------------------------------

# mirror_of VENDOR: the address of its packages.
mirror_of() {
	local known
	if [ -n "${mirror[$1]-}" ]; then
		echo "${mirror[$1]}"
		return
	fi
	# shellcheck disable=SC2016 # apt-get expands
	known=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 2>/dev/null |
		sed 's,/*$,,' | sort -u)
	grep -m 1 "/$1\$" <<<"$known" ||
		sed -n "s,/\(debian\|ubuntu\)\$,/$1,p" <<<"$known" | grep -m 1 .
}

# bootstrap SYSTEM: makes $folder/base-SYSTEM, or says in $why why it cannot.
bootstrap() {
	local vendor=${1%%-*} base=$folder/base-$1 script=/usr/share/debootstrap/scripts log address
	local -a options=(--variant=minbase '--include=sudo,git,ca-certificates')
	[ -e "$base/made" ] && return
	log=$folder/logs/debootstrap-$1.log
	if ! address=$(mirror_of "$vendor"); then
		why="no mirror of $vendor is known: --$vendor URL"
		return 1
	fi
	[ "$vendor" = debian ] || options+=('--components=main,universe')
	options+=(--keyring="/usr/share/keyrings/$vendor-archive-keyring.gpg")
	if [ ! -e "/usr/share/keyrings/$vendor-archive-keyring.gpg" ]; then
		$unsigned || {
			why="no keyring of $vendor is installed: --unsigned trusts the mirror"
			return 1
		}
		options+=(--no-check-gpg)
	fi
	# A release may be younger than this debootstrap; all of a vendor have one script.
	[ "$vendor" = debian ] && script+=/sid || script+=/gutsy
	rm -rf "$base"
	if ! debootstrap "${options[@]}" "${suite[$1]}" "$base" "$address" "$script" >"$log" 2>&1; then
		why="debootstrap failed: $(tail -n 1 "$log")"
		return 1
	fi
	cp -L /etc/resolv.conf /etc/hosts "$base/etc/"
	chroot "$base" useradd -m -s /bin/bash -G sudo tester
	echo 'tester ALL=(ALL) NOPASSWD: ALL' >"$base/etc/sudoers.d/tester"
	touch "$base/made"
}

# in_chroot ROOT USER COMMAND: its mounts and all that it leaves running end with it.
in_chroot() {
	# shellcheck disable=SC2016 # the inner shell expands
	unshare --mount --pid --fork --kill-child --propagation private bash -ec '
		mount -t proc proc "$1/proc"
		mount -t sysfs sys "$1/sys"
		mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts "$1/dev/pts"
		ln -sf pts/ptmx "$1/dev/ptmx"
		mkdir -p "$1/dev/shm"
		mount -t tmpfs -o mode=1777 shm "$1/dev/shm"
		chroot "$1" env -i TERM=xterm PATH=/usr/sbin:/usr/bin:/sbin:/bin su - "$2" -c "$3" || exit
		exit 0 # not exec: the first process of a container waits for orphans, as bash does
	' bash "$1" "$2" "$3" </dev/null
}

# --- runs ---------------------------------------------------------------------

# fresh SYSTEM USER: a copy of the system with the source in the home of the user.
fresh() {
	local root=$folder/$1-$2 home=/root
	[ "$2" = root ] || home=/home/$2
	rm -rf --one-file-system "$root"
	cp -a "$folder/base-$1" "$root"
	git clone -q --no-hardlinks "$source" "$root$home/osprof"
	git -C "$root$home/osprof" checkout -q "$commit" # what is committed meanwhile is another row
	chroot "$root" chown -R "$2" "$home/osprof"
}

# row SYSTEM RUN USER COMMAND: runs it and notes how it ended, unless it is noted.
row() {
	local log=$folder/logs/$1-${2// /-}.log began=$SECONDS status=0 result
	grep -q "^$1	$2	$commit	" "$rows" && return
	printf '%s: %s ...\n' "$1" "$2"
	in_chroot "$folder/$1-$3" "$3" "cd osprof && $4" >"$log" 2>&1 || status=$?
	result=$(grep -aE '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1) || true
	[ -n "$result" ] || result=$([ "$status" -eq 0 ] && echo passed || echo failed)
	[ "$status" -eq 0 ] || result="$result (status $status)"
	printf '%s\t%s\t%s\t%s\t%s s\n' "$1" "$2" "$commit" "$result" $((SECONDS - began)) >>"$rows"
}

# of_user SYSTEM USER WORDS PREFIX: ./demo and ./check in a system without any of what they need.
of_user() {
	grep -q "^$1	check $3	$commit	" "$rows" && return
	fresh "$1" "$2"
	sed -i "/^$1	demo $3	$commit	/d" "$rows" # the copy is new: it belongs to the run
	row "$1" "demo $3" "$2" "$4 ./demo"
	row "$1" "check $3" "$2" "$4 ./check"
}

# are_wanted RUNS: says whether these runs were asked for.
are_wanted() {
	[ -z "$only" ] || [ "$only" = "$1" ]
}

# All systems as root first: what is wrong with a system shows early.
there=()
for system; do
	if bootstrap "$system"; then
		there+=("$system")
		continue
	fi
	printf '%s: not to be had here: %s\n' "$system" "$why" >&2
	grep -q "^$system	-	$commit	" "$rows" ||
		printf '%s\t-\t%s\t%s\t-\n' "$system" "$commit" "not to be had: $why" >>"$rows"
done
busy='for i in 1 2 3 4; do (while :; do :; done) & done;'
for system in ${there[@]+"${there[@]}"}; do
	! are_wanted root || of_user "$system" root 'as root, alone' ''
done
for system in ${there[@]+"${there[@]}"}; do
	! are_wanted user || of_user "$system" tester 'as a user, beside 4 busy loops' "$busy"
done
for n in 1 2 3 4 5; do
	are_wanted again && [[ " ${there[*]-} " = *' debian-12 '* ]] || break
	[ -e "$folder/debian-12-root" ] || fresh debian-12 root
	row debian-12 "check again, $n" root ./check
done

grep "	$commit	" "$rows" | column -t -s '	'
! grep "	$commit	" "$rows" | grep -qE '\(status [0-9]+\)|not to be had'
