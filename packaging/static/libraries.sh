#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makes the libraries that osprof is linked with, as archives, for a system that is not this one:
# from the sources of this Debian, which apt-get verifies.
#
#	libraries.sh FOLDER HOST LIBRARY...
#
# HOST is what configure scripts call the system, as aarch64-linux-musl. CC, AR and RANLIB are its
# tools; GSL_CONFIGURE_CC takes the place of CC in the long configure script of GSL, if CC is slow.
# FOLDER gets include/, lib/ and lib/pkgconfig/; what is there already is not made again.
# Needs dpkg-dev and make; no root, and no deb-src lines.
set -euo pipefail
out=$(mkdir -p "$1" && realpath "$1")
host=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
export CFLAGS=${CFLAGS:--O2}
# Of the libraries that are there already, and of no other.
export PKG_CONFIG_LIBDIR=$out/lib/pkgconfig
mkdir -p "$out/sources/apt/lists/partial" "$out/lib/pkgconfig" "$out/include"
log=$out/sources/log

# fetch PACKAGE: prints the folder of its sources, patched as Debian does.
fetch() {
	local apt=$out/sources/apt folder
	if [ ! -e "$apt/sources.list" ]; then
		# shellcheck source=/dev/null
		(. /etc/os-release && echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] \
			${DEBIAN_MIRROR:-http://deb.debian.org/debian} $VERSION_CODENAME main") >"$apt/new.list"
		apt_private -o Dir::Etc::sourcelist="$apt/new.list" update >>"$log" 2>&1
		mv "$apt/new.list" "$apt/sources.list"
	fi
	folder=$out/sources/$1
	rm -rf "$folder" && mkdir "$folder"
	(cd "$folder" && apt_private source --download-only "$1" >>"$log" 2>&1 &&
		dpkg-source --no-check -x ./*.dsc tree >>"$log" 2>&1)
	echo "$folder/tree"
}
apt_private() {
	apt-get -qq -o Dir::Etc::sourceparts=- -o Dir::State::lists="$out/sources/apt/lists" \
		-o Dir::Etc::sourcelist="$out/sources/apt/sources.list" -o APT::Sandbox::User="$(id -un)" "$@"
}

configured() { # [OPTION...]: by the usual script, which must not run what it makes
	./configure --host="$host" --prefix="$out" --disable-shared --enable-static "$@"
	make -j"$(nproc)"
	make install
}

write_pc() { # NAME VERSION LIBRARY...
	printf '%s\n' "Name: $1" "Description: $1" "Version: $2" "Cflags: -I$out/include" "Libs: -L$out/lib ${*:3}" \
		>"$out/lib/pkgconfig/$1.pc"
}

make_gsl() { # only the parts that osprof calls, and what these call
	local part parts=(cdf complex err fft randist rng sort specfunc statistics sys utils)
	# What it finds out is the same for any compiler of C99, as far as these parts ask.
	CC=${GSL_CONFIGURE_CC:-$CC} ./configure --host="$host" --disable-shared
	make -C gsl
	for part in "${parts[@]}"; do
		# At once: most of the time would be that of libtool.
		# shellcheck disable=SC2016,SC2086 # variables of make; several words
		make -C "$part" -s --eval='sources:; @echo $(filter %.c,$(foreach l,$(noinst_LTLIBRARIES),$($(l:.la=_la)_SOURCES)))' sources |
			(cd "$part" && xargs -n 20 -P "$(nproc)" "$CC" $CFLAGS -DHAVE_CONFIG_H -I.. -c)
	done
	# shellcheck disable=SC2046 # several words
	$AR rcs "$out/lib/libgsl.a" $(printf '%s/*.o ' "${parts[@]}")
	mkdir -p "$out/include/gsl" && cp -L gsl/*.h "$out/include/gsl"
	write_pc gsl "$(sed -n 's/^#define GSL_VERSION "\(.*\)"/\1/p' gsl/gsl_version.h)" -lgsl -lm
}
make_libcsv() {
	# shellcheck disable=SC2086 # several words
	$CC $CFLAGS -I. -c libcsv.c -o libcsv.o
	$AR rcs "$out/lib/libcsv.a" libcsv.o
	cp csv.h "$out/include"
}
make_zlib() {
	CHOST=$host ./configure --static --prefix="$out"
	make libz.a
	make install
}
make_libzstd() {
	make -C lib -j"$(nproc)" libzstd.a CC="$CC" AR="$AR"
	make -C lib install-static install-includes install-pc PREFIX="$out" CC="$CC" AR="$AR"
}
make_xz-utils() {
	configured --disable-{xz,xzdec,lzmadec,lzmainfo,lzma-links,scripts,doc,nls} --disable-assembler --enable-threads="${LZMA_THREADS:-posix}"
}
make_ncurses() {
	# Where no terminal is described, as in an empty root, these are known nevertheless.
	configured --enable-widec --enable-pc-files --with-pkg-config-libdir="$out/lib/pkgconfig" \
		--without-{ada,cxx,cxx-binding,debug,manpages,progs,tests} --with-build-cc=cc --disable-stripping \
		--with-terminfo-dirs=/etc/terminfo:/lib/terminfo:/usr/share/terminfo \
		--with-default-terminfo-dir=/usr/share/terminfo \
		--with-fallbacks=linux,screen,screen-256color,tmux-256color,vt100,xterm,xterm-256color
}
make_libuv1() {
	cmake -B made -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="$CC" -DCMAKE_AR="$(command -v "$AR")" \
		-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_INSTALL_PREFIX="$out" -DCMAKE_INSTALL_LIBDIR=lib \
		-DBUILD_TESTING=OFF -DLIBUV_BUILD_BENCH=OFF
	cmake --build made --target uv_a -j"$(nproc)"
	mkdir -p "$out/include/uv"
	cp -R include/. "$out/include"
	cp made/libuv_a.a "$out/lib/libuv.a"
	write_pc libuv "$(sed -n 's/^AC_INIT(\[libuv\], \[\([0-9.]*\)\].*/\1/p' configure.ac)" -luv -pthread
}
make_musl() { # CC is not for this system here: it becomes so by the wrapper, bin/musl-gcc
	./configure --target="$host" --prefix="$out" --disable-shared --enable-wrapper=gcc
	make -j"$(nproc)"
	make install
	# The headers of the kernel.
	cp -R "$KERNEL_HEADERS"/{linux,asm-generic} "${KERNEL_ASM:-$KERNEL_HEADERS/asm}" "$out/include"
}
make_uthash-dev() { # headers only, as they are installed
	cp /usr/include/ut*.h "$out/include"
}

for library; do
	[ ! -e "$out/sources/$library.done" ] || continue
	echo "making $library for $host"
	if [ "$library" = uthash-dev ]; then tree=$here; else tree=$(fetch "$library"); fi
	# Not as a condition, in which -e would not hold.
	set +e
	(set -e && cd "$tree" && "make_$library") >>"$log" 2>&1
	status=$?
	set -e
	if [ "$status" -ne 0 ]; then
		tail -n 20 "$log" >&2
		echo "libraries.sh: $library was not made; $log has all of it" >&2
		exit 1
	fi
	touch "$out/sources/$library.done"
	[ "$library" = uthash-dev ] || rm -rf "$out/sources/${library:?}"
done
