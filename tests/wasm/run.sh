#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Whether the engine is free of what only Linux has: everything from base/ to options/ that reads,
# compares and reports is compiled with emcc, with the commands over it, and runs in node. There it
# must print what tests/golden/ expects wherever that has JSON.
#
#	tests/wasm/run.sh BUILD [CASE...]
#
# BUILD is a build folder, of which the headers that are made there are taken. Needs emscripten,
# node, and what packaging/static/libraries.sh needs. Everything is made in build-wasm/.
set -euo pipefail
native=$(realpath "$1")
shift
cd "$(dirname "$0")/../.."
root=$PWD
out=$root/build-wasm
# Who includes what is not known here: after a change of a header everything is compiled.
if [ ! -e "$out/begun" ] || find ./*/ -path './build*' -prune -o -name '*.[hd]*' -newer "$out/begun" -print |
	grep -qE '[.](h|def)$'; then
	rm -rf "$out/objects"
fi
mkdir -p "$out/objects"
touch "$out/begun"

# Where Debian has the modules that emcc needs, whichever node is found first.
export NODE_PATH=/usr/share/nodejs
# A system of 32 bits that every configure script knows, whose C library is musl: as that of emcc.
CC=emcc AR=emar RANLIB=emranlib CFLAGS=-O2 LZMA_THREADS=no GSL_CONFIGURE_CC=cc packaging/static/libraries.sh "$out/sysroot" \
	i686-linux-gnu zlib libzstd xz-utils libcsv uthash-dev gsl

# Commands that start something are absent, and so are regions and plug-ins: absent.c.
folders=$(find base profile calls formats analyze report load compare options program cli plotting canvas \
	record tests/wasm -type d)
sources_of() {
	case $1 in
	record) printf '%s\n' record/install_paths.c record/scheduler.c ;;
	plotting/commands) echo plotting/commands/plot_options.c ;;
	*) find "$1" -maxdepth 1 -name '*.c' ! -name 'cmd_demo.c' ! -name 'cmd_plot.c' ! -name 'cmd_record.c' \
		! -name 'cmd_send.c' ! -name 'cmd_watch.c' ! -path 'cli/watch_*' ;;
	esac
}
# At once those of a folder that changed: emcc begins slowly.
compile_folder() {
	local objects=$out/objects/$1 source changed=()
	mkdir -p "$objects"
	while read -r source; do
		[ "$objects/$(basename "$source" .c).o" -nt "$source" ] || changed+=("$root/$source")
	done < <(sources_of "$1")
	[ ${#changed[@]} -eq 0 ] || (cd "$objects" && printf '%s\n' "${changed[@]}" |
		xargs -n 8 -P 2 emcc -std=c17 -O2 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Wno-enum-float-conversion \
			-I"$root" -I"$native" -isystem "$out/sysroot/include" "${definitions[@]}" -c)
}
version=$(sed -n "s/^\tversion: '\(.*\)',/\1/p" meson.build)
# bulk_free() is a name of emscripten's dlmalloc, too.
definitions=(-Dbulk_free=osprof_bulk_free -DOSPROF_VERSION="\"$version\"" -DOSPROF_WITH='"node"' -DOSPROF_WITHOUT='"the rest"')
for name in PLUGINS FROM_BIN_TO_LIB FROM_BIN_TO_DATA FROM_BIN_TO_HELPERS; do
	definitions+=("-DOSPROF_$name=\"\"")
done
for folder in $folders; do
	echo "compiling $folder"
	compile_folder "$folder"
done
mapfile -t objects < <(find "$out/objects" -name '*.o')
emcc -O2 "${objects[@]}" -L"$out/sysroot/lib" -lgsl -lzstd -llzma -lz -lcsv -sNODERAWFS=1 -sALLOW_MEMORY_GROWTH=1 \
	-sENVIRONMENT=node -sEXIT_RUNTIME=1 -sTOTAL_STACK=8MB --pre-js tests/wasm/environment.js -o "$out/osprof.js"
ls -l "$out/osprof.wasm"
# Later versions of node have a fetch() that this emcc does not expect.
printf '#!/bin/sh\nexec node --no-experimental-fetch %s "$@"\n' "$out/osprof.js" >"$out/osprof"
chmod +x "$out/osprof"

# The cases that print JSON and start none of the absent commands.
if [ $# -eq 0 ]; then
	mapfile -t names < <(awk '
		function end() { if (json && !absent && name != "") print name }
		/^==== / { end(); name = $2; json = absent = 0; commands = 1; next }
		/^---- / { commands = 0 }
		commands && /json/ && /osprof / { json = 1 }
		commands && /osprof (demo|plot|record|send|watch)|--plugin|--handler|pid:|example:|ulimit|\/proc/ { absent = 1 }
		END { end() }' tests/golden/*.cases)
	set -- "${names[@]}"
fi
tests/golden/run "$out/osprof" "$@"
