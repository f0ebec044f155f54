#!/bin/sh
# SPDX-License-Identifier: MIT
#
# deb.sh BUILD OUT: Debian packages of what BUILD holds: loam (programs, unit, manual), libloam0 (shared
# libraries) and libloam-dev (headers, static libraries). By dpkg's own tools alone; what goes
# where is said by install.sh. ABI and VERSION come from the Makefile. Where there is lintian it has the
# last word, unless LINTIAN=no.
set -eu

build=$(realpath "${1:?the build folder}")
out=${2:?the folder for packages}
machine=$(dpkg --print-architecture)
libdir=/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
maintainer=${MAINTAINER:-'The loam authors <loam@users.invalid>'}
# Files are as old as what they are made from, so that equal sources give equal packages.
date=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date -r CHANGELOG.md +%s)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
mkdir -p "$out" "$work/debian"

# fill PACKAGE PARTS: its files, stripped and packed as policy wants them.
fill() {
    root=$work/$1
    DESTDIR=$root PREFIX=/usr LIBDIR=$libdir UNITDIR=/lib/systemd/system PARTS=$2 \
        sh deploy/install.sh install "$build"
    find "$root" -type f \( -path '*/bin/*' -o -name '*.so.*' \) \
        -exec strip --strip-unneeded --remove-section=.comment --remove-section=.note {} +
    find "$root" -type f -name '*.a' -exec strip --strip-debug --remove-section=.comment {} +
    find "$root" -path '*/man/*' -type f -exec gzip -9n {} +
    doc=$root/usr/share/doc/$1
    mkdir -p "$doc" "$root/DEBIAN"
    gzip -9nc CHANGELOG.md >"$doc/NEWS.gz"
    printf 'loam (%s) bookworm; urgency=medium\n\n  * See NEWS.gz.\n\n -- %s  %s\n' "$VERSION" \
        "$maintainer" "$(LC_ALL=C date -R -u -d "@$date")" |
        gzip -9n >"$doc/changelog.gz"
    { printf 'Format: %s\nUpstream-Name: loam\n\nFiles: *\nCopyright: %s\nLicense: Expat\n' \
        https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/ \
        "$(sed -n 's/^Copyright (c) //p' LICENSE)"
      sed -e 1,4d -e 's/^$/./' -e 's/^/ /' LICENSE; } >"$doc/copyright"
}

# depends PACKAGE: the libraries that its programs need, with their versions.
depends() {
    : >"$work/debian/control"
    printf 'Source: loam\n\nPackage: %s\nArchitecture: any\n' "$1" >"$work/debian/control"
    (cd "$work" && find "$1" -type f \( -path '*/bin/*' -o -name '*.so.*' \) |
        xargs -r dpkg-shlibdeps -O --ignore-missing-info -l"$1$libdir" 2>/dev/null) |
        sed -n 's/^shlibs:Depends=//p'
}

# pack PACKAGE SECTION DEPENDS SUMMARY: the control file, sums, and the package. The long description
# comes from standard input.
pack() {
    root=$work/$1
    { printf 'Package: %s\nSource: loam\nVersion: %s\nArchitecture: %s\n' "$1" "$VERSION" "$machine"
      printf 'Maintainer: %s\nInstalled-Size: %s\n' "$maintainer" \
        "$(du -k -s --exclude=DEBIAN "$root" | cut -f1)"
      [ -z "$3" ] || printf 'Depends: %s\n' "$3"
      [ "$1" != libloam0 ] || printf 'Multi-Arch: same\n'
      printf 'Section: %s\nPriority: optional\nDescription: %s\n' "$2" "$4"
      sed 's/^/ /'; } >"$root/DEBIAN/control"
    (cd "$root" && find . -type f ! -path './DEBIAN/*' | sed 's|^\./||' | LC_ALL=C sort |
        xargs md5sum) >"$root/DEBIAN/md5sums"
    find "$root" -exec touch -h -d "@$date" {} +
    dpkg-deb --build --root-owner-group "$root" "$out/$1_${VERSION}_$machine.deb"
}

fill libloam0 runtime
printf 'libloam %s libloam0 (>= %s)\nlibloam_client %s libloam0 (>= %s)\n' "$ABI" "$VERSION" \
    "$ABI" "$VERSION" >"$work/libloam0/DEBIAN/shlibs"
for library in core/libloam api/client/libloam_client; do
    printf '%s.so.%s libloam0 #MINVER#\n* Build-Depends-Package: libloam-dev\n' "${library##*/}" "$ABI"
    sed "s/.*/ &@Base $VERSION/" "$library.symbols"
done >"$work/libloam0/DEBIAN/symbols"
echo 'activate-noawait ldconfig' >"$work/libloam0/DEBIAN/triggers"
pack libloam0 libs "$(depends libloam0)" 'procedural worlds, shared libraries' <<'END'
libloam generates the cells of worlds and dungeons from a seed, a graph
and inputs; libloam_client fetches them from a loamd.
END

fill libloam-dev development
pack libloam-dev libdevel "libloam0 (= $VERSION), libcurl4-openssl-dev, libjansson-dev, nettle-dev" \
    'procedural worlds, headers and static libraries' <<'END'
Headers, static libraries and pkg-config files of libloam and
libloam_client: what a game server is compiled with.
END

fill loam 'tools daemon'
echo /etc/loam/loamd.conf >"$work/loam/DEBIAN/conffiles"
cat >"$work/loam/DEBIAN/postinst" <<'END'
#!/bin/sh
# The group of loam.sysusers; the unit is there to be enabled, and is not started by itself. DPKG_ROOT
# is another machine's tree, or empty.
set -e
if [ "$1" = configure ] && command -v systemd-sysusers >/dev/null 2>&1; then
    systemd-sysusers --root="${DPKG_ROOT:-/}" loam.conf
fi
if [ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ]; then
    systemctl --system daemon-reload >/dev/null || true
fi
END
cat >"$work/loam/DEBIAN/prerm" <<'END'
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -z "${DPKG_ROOT:-}" ] && [ -d /run/systemd/system ]; then
    deb-systemd-invoke stop loamd.service >/dev/null || true
fi
END
chmod 755 "$work/loam/DEBIAN/postinst" "$work/loam/DEBIAN/prerm"
pack loam net "$(depends loam)" 'procedural worlds as a service' <<'END'
loamd turns a seed, a graph and inputs into a world that everybody agrees
on: game servers ask it for cells, build farms submit jobs, clients fetch
what is built. One question has one answer, bit for bit. loam is its
command line, and makes the same worlds without it.
END

if [ "${LINTIAN:-yes}" != no ] && command -v lintian >/dev/null 2>&1; then
    lintian --fail-on error,warning --tag-display-limit 0 "$out"/*.deb
fi
