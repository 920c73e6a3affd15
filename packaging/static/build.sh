#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makes osprof-VERSION-linux-ARCH.tar.xz, which runs on any Linux of that processor: osprof and
# osprof-tui are linked with musl and need no library, and find the files of their folder wherever
# they are unpacked. A file of the same name and .sha256 has the checksum.
#
#	packaging/static/build.sh [amd64 | arm64] [FOLDER]
#
# Run it on Debian 12 or later, as any user, with what apt-get installs for `./demo`, dpkg-dev and
# cmake; for arm64 on amd64 also with gcc-aarch64-linux-gnu and qemu-user. The libraries are made
# from Debian's sources, once, in build-static-ARCH/sysroot.
#
# The recorder and the programs of `osprof demo` are for glibc, as the programs are that it is loaded
# into: that of the system that this is made on, or a later one. Plug-ins cannot be loaded by a static
# program, and call sites have no names.
set -euo pipefail
cd "$(dirname "$0")/../.."
native=$(dpkg --print-architecture)
arch=${1:-$native}
out=$(mkdir -p "${2:-.}" && realpath "${2:-.}")
version=$(sed -n "s/^\tversion: '\(.*\)',/\1/p" meson.build)
name=osprof-$version-linux-$arch
build=$PWD/build-static-$arch
sysroot=$build/sysroot
mkdir -p "$build"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y NEWS.md)}

triplet=$(dpkg-architecture -a "$arch" -q DEB_HOST_GNU_TYPE 2>/dev/null)
cpu=${triplet%%-*}
if [ "$arch" = "$native" ]; then
	KERNEL_HEADERS=/usr/include KERNEL_ASM=/usr/include/$triplet/asm
	exe_wrapper=
else
	KERNEL_HEADERS=/usr/$triplet/include KERNEL_ASM=/usr/$triplet/include/asm
	exe_wrapper="exe_wrapper = '$(command -v "qemu-$cpu" || command -v "qemu-$cpu-static")'"
fi
export KERNEL_HEADERS KERNEL_ASM

# machine CC: the files by which meson finds the tools for it.
machine() {
	cat <<-END
		[binaries]
		c = '$1'
		c_ld = 'bfd'
		ar = '$triplet-ar'
		strip = '$triplet-strip'
		pkgconfig = 'pkg-config'
		$exe_wrapper
		[properties]
		pkg_config_libdir = '$sysroot/lib/pkgconfig'
		[host_machine]
		system = 'linux'
		cpu_family = '$cpu'
		cpu = '$cpu'
		endian = 'little'
	END
}

export AR=$triplet-ar RANLIB=$triplet-ranlib
CC=$triplet-gcc packaging/static/libraries.sh "$sysroot" "$cpu-linux-musl" musl
musl=$sysroot/bin/musl-gcc
CC=$musl packaging/static/libraries.sh "$sysroot" "$cpu-linux-musl" \
	gsl libcsv zlib libzstd xz-utils ncurses libuv1 uthash-dev
unset AR RANLIB

install_to_scratch() { # FOLDER CC OPTION...
	local folder=$1 cc=$2
	shift 2
	machine "$cc" >"$folder.ini"
	[ ! -e "$folder/build.ninja" ] || set -- --reconfigure "$@"
	meson setup "$folder" --cross-file "$folder.ini" --prefix="/$name" --libdir=lib \
		--buildtype=debugoptimized -Dstrip=true -Dtests=false "$@"
	ninja -C "$folder"
	DESTDIR=$scratch meson install -C "$folder" --no-rebuild --quiet
}
install_to_scratch "$build/programs" "$musl" -Dmpi=disabled -Ddwarf=disabled -Dtui=enabled -Dwatch=enabled \
	-Dstatic=true -Dprefer_static=true -Dc_args="-I$sysroot/include" -Dc_link_args="-L$sysroot/lib"
# What is not static replaces what musl has made of it.
install_to_scratch "$build/capture" "$triplet-gcc" -Dprograms=false

tar -C "$scratch" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
	-cJf "$out/$name.tar.xz" "$name"
(cd "$out" && sha256sum "$name.tar.xz" >"$name.tar.xz.sha256" && cat "$name.tar.xz.sha256")
