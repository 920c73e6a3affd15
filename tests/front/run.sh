#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What ./demo says where it cannot go on, or not as usual: one line that tells what to do.
#
#	run.sh SOURCE
#
# apt-get, sudo, meson and so on are stand-ins: nothing is installed or built. Prints TAP.
# shellcheck disable=SC2016 # the stand-ins expand
set -u
source=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export checkout="$scratch/Möbel 'und' \"Holz\"" state=$scratch/state
bin=$scratch/bin
mkdir -p "$checkout/scripts" "$bin" "$state"
cp "$source/demo" "$source/meson.build" "$checkout"
cp "$source/scripts/setup.sh" "$checkout/scripts"
n=0 failed=0

# stand_in NAME: a command, from standard input.
stand_in() {
	{ printf '#!%s\n' "$(command -v bash)" && cat; } >"$bin/$1"
	chmod +x "$bin/$1"
}

for tool in bash env basename dirname sed grep tail head sort tr cat mkdir rm sleep ls touch true chmod; do
	ln -s "$(type -P "$tool")" "$bin/$tool"
done
stand_in python3 <<<"exec $(python3 -c 'import sys; print(sys.executable)') \"\$@\""
for tool in cc gnuplot; do stand_in $tool </dev/null; done
stand_in id <<<'echo "${USER_ID:-0}"'
stand_in pkg-config <<<'[ "${*: -1}" != gsl ] || [ -e "$state/gsl" ]'
stand_in sudo <<<'[ "${SUDO_REFUSES:-}" != yes ] && exec "$@"'
stand_in apt-get <<'END'
[ "${*: -1}" = update ] && exit "${UPDATE_STATUS:-0}"
printf '%s\n' "${APT_SAYS:-}"
[ -n "${APT_SAYS:-}" ] && exit 100
[ "${INSTALLS:-yes}" = no ] || touch "$state/gsl"
END
stand_in meson <<'END'
case $1 in
--version) echo 99.0 ;;
setup)
	mkdir -p "$2/meson-info" "$2/meson-private"
	python3 -c 'import json, os, sys
json.dump({"directories": {"source": os.getcwd()}}, open(sys.argv[1] + "/meson-info/meson-info.json", "w"))' "$2"
	;;
configure) [ ! -e "$2/other-version" ] ;;
esac
END
stand_in ninja <<'END'
[ "${NINJA_SAYS:-}" = '' ] || { echo "$NINJA_SAYS"; exit 1; }
printf '#!%s\n' "$(command -v bash)" >"$2/osprof"
chmod +x "$2/osprof"
END

# demo [NAME=VALUE...]: how it ends, in this environment; what it prints is in why.
demo() {
	(cd "$scratch" && env -i PATH="$bin" HOME="$scratch" LC_ALL=C.UTF-8 state="$state" "$@" \
		"$checkout/demo" >"$scratch/why" 2>&1)
}

# result NAME: one line of TAP by the status of the command before.
result() {
	local status=$?
	n=$((n + 1))
	if [ "$status" -eq 0 ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		sed 's/^/# /' "$scratch/why"
		failed=1
	fi
}

# stops TEXT [NAME=VALUE...]: status 1, and one line about it, with this text, that is the last.
stops() {
	local text=$1
	shift
	demo "$@"
	[ $? -eq 1 ] && tail -n 1 "$scratch/why" | grep '^demo: ' | grep -qF -- "$text" &&
		[ "$(grep -vcE '^demo: installing ' "$scratch/why")" -eq 1 ]
}

says() {
	grep -qF -- "$1" "$scratch/why"
}

install='apt-get install --no-install-recommends libgsl-dev'
stops 'packages cannot be fetched: is there a network?' UPDATE_STATUS=100 \
	APT_SAYS="E: Failed to fetch http://x/y.deb  Temporary failure resolving 'x'" && says "$install"
result 'no network: the name of the server'
stops 'packages cannot be fetched: is there a network?' \
	APT_SAYS='E: Failed to fetch http://x/y.deb  Could not connect to x:80 (1.2.3.4), connection timed out'
result 'no network: the server'
stops 'half installed; as root, dpkg --configure -a && apt-get -f install mends it' \
	APT_SAYS="E: dpkg was interrupted, you must manually run 'dpkg --configure -a' to correct the problem. "
result 'a package that is half installed'
stops 'half installed' APT_SAYS="E: Unmet dependencies. Try 'apt --fix-broken install' with no packages"
result 'a package without those that it needs'
stops 'apt-get does not know a package: libgsl-dev' APT_SAYS='E: Unable to locate package libgsl-dev'
result 'a release that has not got a package'
stops 'the disk is full' APT_SAYS="E: You don't have enough free space in /var/cache/apt/archives/."
result 'a full disk'
stops 'installed, but not found or too old: libgsl-dev' INSTALLS=no
result 'a package of which a part is missing'
stops "sudo is not allowed to install packages; run this as root: $install" USER_ID=1000 SUDO_REFUSES=yes
result 'a user who may not use sudo'
mv "$bin/sudo" "$bin/no-sudo"
stops "needs root or sudo to install packages; run this as root: $install" USER_ID=1000
result 'no sudo'
mv "$bin/no-sudo" "$bin/sudo"
mv "$bin/apt-get" "$bin/no-apt-get"
stops "no apt-get to install it (Debian's names): libgsl-dev"
result 'no apt-get'
mv "$bin/no-apt-get" "$bin/apt-get"
demo APT_SAYS='E: something else'
[ $? -eq 1 ] && says '    E: something else' && tail -n 1 "$scratch/why" | grep -qF "as root: $install"
result 'what is not known is shown'

demo USER_ID=1000 && says 'demo: building in build/' && says 'demo: time: install '
result 'a user with sudo, in a path with blanks, quotes and letters beyond ASCII'
said=$(sed -n 's/^  cd //p' "$scratch/why")
[ "$(cd "$scratch" && eval "cd $said" && pwd)" = "$checkout" ]
result 'the command to get there can be typed'
touch "$checkout/build/mine"
demo && [ -e "$checkout/build/mine" ] && ! says 'made anew'
result 'a build folder is gone on with'
demo NINJA_SAYS='undefined reference to gsl'
[ $? -eq 1 ] && says '    undefined reference to gsl' && tail -n 1 "$scratch/why" | grep -qF 'rm -r build begins anew'
result 'what does not compile is shown'

# anew WHY: the folder is made anew, which one line says.
anew() {
	demo && [ ! -e "$checkout/build/mine" ] && [ "$(grep -cF 'is made anew' "$scratch/why")" -eq 1 ] &&
		says "demo: build/ is $1: it is made anew" && touch "$checkout/build/mine"
}
touch "$checkout/build/other-version"
anew 'of another version of meson or osprof'
result 'a build folder of another version'
printf '{"directories": {"source": "/elsewhere"}}\n' >"$checkout/build/meson-info/meson-info.json"
anew 'of a checkout at another path'
result 'a build folder of another path'
rm -r "$checkout/build/meson-info"
anew 'of a setup that was interrupted'
result 'a build folder of a setup that was interrupted'
rm -r "$checkout/build" && mkdir "$checkout/build" && touch "$checkout/build/mine"
stops 'build is no build folder of meson: move it away' && [ -e "$checkout/build/mine" ]
result 'a folder of something else is left alone'

echo "1..$n"
exit $failed
