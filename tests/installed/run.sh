#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What is installed works, holds what the pages name, and is removed again.
#
#	run.sh SOURCE BUILD
#
# It is installed below a folder of its own, moved to where no path of the build leads, and used
# from an empty folder. Prints TAP.
set -u
source=$(realpath "$1")
build=$(realpath "$2")
scratch=$(mktemp -d)
log=$build/meson-logs/install-log.txt # of an installation that the user may want to remove
[ ! -e "$log" ] || cp "$log" "$scratch/log"
restore() {
	if [ -e "$scratch/log" ]; then cp "$scratch/log" "$log"; else rm -f "$log"; fi
	rm -rf "$scratch"
}
trap restore EXIT
n=0 failed=0

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

install() {
	(cd "$build" && meson install --no-rebuild --quiet --destdir "$scratch/dest") >"$scratch/why" 2>&1
}

# Everything lies below the prefix, wherever that is.
install && programs=$(find "$scratch/dest" -path '*/bin/osprof') && [ -n "$programs" ]
result 'is installed'
prefix=${programs%/bin/osprof}
mv "$prefix" "$scratch/moved" && prefix=$scratch/moved
mkdir "$scratch/empty" && cd "$scratch/empty" || exit 1
PATH=$prefix/bin:$PATH

missing() {
	local path
	for path; do
		compgen -G "$prefix/$path" >/dev/null || compgen -G "$prefix/${path/\///*/}" >/dev/null || echo "no $path"
	done
}
why=$(missing bin/osprof share/doc/osprof/{LICENSE,README.md,NEWS.md,doc/gallery.md,doc/gallery/map.png} \
	share/doc/osprof/{CONTRIBUTING.md,SECURITY.md,doc/tutorial.md,doc/guide.md,doc/faq.md,doc/versions.md} \
	share/osprof/{calls,kernel,traced}.bt share/osprof/osprof.c share/osprof/schemas/osprof.{rank,watch}.1.json include/osprof.h 'lib*/libosprof-capture.a' 'lib*/pkgconfig/osprof-capture.pc' \
	share/man/man1/osprof.1)
echo "$why" >"$scratch/why"
[ -z "$why" ]
result "what people look for is there"

# Links of the pages that are installed.
for page in "$prefix"/share/doc/osprof/*.md "$prefix"/share/doc/osprof/doc/*.md; do
	grep -oE '\]\([^):#]+' "$page" | cut -c3- | while read -r link; do
		[[ $link == *.[1-9] ]] || [ -e "$(dirname "$page")/$link" ] || echo "${page##*/}: no $link"
	done
done >"$scratch/why"
[ ! -s "$scratch/why" ]
result 'links of the installed pages lead to installed files'

grep -ohE 'testdata/[A-Za-z0-9_./-]+' "$source/README.md" "$source"/doc/osprof*.[1357] "$source/doc/tutorial.md" "$source/doc/guide.md" |
	sed 's/[.]$//' | LC_ALL=C sort -u | while read -r path; do
	[ -e "$prefix/share/osprof/examples/$path" ] || echo "no $path"
done >"$scratch/why"
[ ! -s "$scratch/why" ]
result 'the captures of the examples are installed'

osprof rank -q example:randread-1 example:randread-2 >"$scratch/why" 2>&1 &&
	grep -q '^SLOWER: 2 of 6 operations regressed: lseek, read' "$scratch/why" &&
	grep -q "^before  $prefix/share/osprof/examples/testdata/runs/randread-1: 5 runs" "$scratch/why"
result 'example:NAME is an installed run'
osprof calls -q example:calls/pipes.csv >"$scratch/why" 2>&1
result 'example:FOLDER/NAME is an installed capture'
osprof show -q example:flusher-1s-5.json@:10s >"$scratch/why" 2>&1
result 'example:NAME@RANGE is a part of it'
! osprof show -q example:nothing >"$scratch/why" 2>&1 && grep -q 'no such example' "$scratch/why"
result 'an example that does not exist is said to be none'

cp -r "$prefix/share/osprof/examples" "$scratch/examples"
"$source/tests/manual/run.sh" "$prefix/bin/osprof" "$scratch/examples" "$source/doc/osprof-rank.1" >"$scratch/why" 2>&1
result 'the examples of osprof-rank(1) run on a copy of share/osprof/examples'

cat >self.c <<'END'
#include <osprof.h>
int main(void)
{
	struct osprof *p = osprof_new(NULL);
	int op = osprof_op(p, "", "step");
	uint64_t start = osprof_start(p);

	osprof_stop(p, op, start);
	osprof_print(p, stdout);
	osprof_free(p);
	return OSPROF_CAPTURE_VERSION_NUM < 200;
}
END
pc=$(dirname "$(find "$prefix" -name osprof-capture.pc)")
# shellcheck disable=SC2046 # several words
${CC:-cc} self.c $(PKG_CONFIG_PATH=$pc pkg-config --define-variable=prefix="$prefix" --cflags --libs osprof-capture) -o self 2>"$scratch/why" &&
	./self | osprof show -q - >>"$scratch/why" 2>&1
result 'a program is linked by osprof-capture.pc'
${CC:-cc} -pthread -I"$prefix/include" self.c "$prefix/share/osprof/osprof.c" -o self 2>"$scratch/why" &&
	./self >/dev/null && grep -q 'Permission is hereby granted' "$prefix/share/osprof/osprof.c"
result 'a program takes osprof.c along, with its notice'

rm -rf "$scratch/dest"
install && (cd "$build" && meson --internal uninstall) >"$scratch/why" 2>&1
mkdir -p "$scratch/dest"
find "$scratch/dest" -mindepth 1 ! -type d >"$scratch/why"
[ ! -s "$scratch/why" ]
result 'ninja uninstall leaves no file'

echo "1..$n"
exit $failed
