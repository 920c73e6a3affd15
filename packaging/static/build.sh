#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Makes osprof-VERSION-linux-ARCH.tar.xz, which runs on any Linux of that processor: osprof and
# osprof-tui need no library, and find the files of their folder wherever they are unpacked. A file
# of the same name and .sha256 has the checksum.
#
#	packaging/static/build.sh [amd64 | arm64] [FOLDER]
#
# Run it on Debian 12 or later, with what apt-get installs for `./demo`; for arm64 on amd64, also
#
#	dpkg --add-architecture arm64 && apt-get update && apt-get install crossbuild-essential-arm64 \
#	  qemu-user lib{gsl,csv,zstd,lzma,ncurses,uv1,dw}-dev:arm64 zlib1g-dev:arm64
#
# The recorder is a shared object, as it is loaded into other programs: it needs the C library of
# the system that it is made on, or a later one. Plug-ins cannot be loaded by a static program.
set -euo pipefail
cd "$(dirname "$0")/../.."
arch=${1:-$(dpkg --print-architecture)}
out=$(mkdir -p "${2:-.}" && realpath "${2:-.}")
version=$(sed -n "s/^\tversion: '\(.*\)',/\1/p" meson.build)
name=osprof-$version-linux-$arch
build=build-static-$arch
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y NEWS.md)}

cross=()
if [ "$arch" != "$(dpkg --print-architecture)" ]; then
	triplet=$(dpkg-architecture -a "$arch" -q DEB_HOST_GNU_TYPE 2>/dev/null)
	cpu=${triplet%%-*}
	cat >"$scratch/cross.ini" <<END
[binaries]
c = '$triplet-gcc'
ar = '$triplet-ar'
strip = '$triplet-strip'
pkgconfig = 'pkg-config'
exe_wrapper = 'qemu-$cpu'
[built-in options]
pkg_config_path = ''
[properties]
pkg_config_libdir = '/usr/lib/$triplet/pkgconfig:/usr/share/pkgconfig'
[host_machine]
system = 'linux'
cpu_family = '$cpu'
cpu = '$cpu'
endian = 'little'
END
	cross=(--cross-file "$scratch/cross.ini")
fi

rm -rf "$build"
meson setup "$build" "${cross[@]}" --prefix="/$name" --libdir=lib --buildtype=debugoptimized \
	-Dstrip=true -Dtests=false -Dmpi=disabled -Dstatic=true -Dprefer_static=true
ninja -C "$build"
DESTDIR=$scratch meson install -C "$build" --no-rebuild --quiet
tar -C "$scratch" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
	-cJf "$out/$name.tar.xz" "$name"
(cd "$out" && sha256sum "$name.tar.xz" >"$name.tar.xz.sha256" && cat "$name.tar.xz.sha256")
