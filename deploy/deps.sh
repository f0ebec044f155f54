#!/bin/sh
# SPDX-License-Identifier: MIT
#
# deps.sh build|test|cross|fuzz|bench: installs the Debian packages that a goal of the Makefile needs and that
# are missing. Says nothing and touches nothing when none is. As root it uses apt-get; else sudo,
# saying why; without sudo it prints the exact command and ends with 1.
set -u

# Each line: a package, then the reason.
packages_build='
gcc                     the compiler
libc6-dev               headers and start files of the C library
make                    reads the Makefile
pkg-config              finds the libraries below
libmicrohttpd-dev       HTTP in server/http
libgnutls28-dev         certificates for TLS in server/http
libuv1-dev              the event loop in server/loop
libsqlite3-dev          the store in server/store
libcurl4-openssl-dev    the client in api/client
libjansson-dev          JSON in api/wire
nettle-dev              SHA-256 in api/key
libpng-dev              PNG in api/view and of heightfields
zlib1g-dev              gzip representations
libzstd-dev             zstd representations
'
packages_test='
libcriterion-dev        the test framework
g++                     public headers are C++ as well
groff-base              manual pages are sound
systemd                 the exposure of the unit
dpkg-dev                make deb
openssl                 makes the certificates that tests use
'
packages_cross='
clang                   the second compiler, and the one for wasm32
lld                     links wasm32
libclang-rt-14-dev-wasm32  run time of clang for wasm32
wasi-libc               C library for wasm32
nodejs                  runs wasm32
musl-tools              a second C library on x86-64
qemu-user               runs the programs of other machines
gcc-aarch64-linux-gnu   aarch64: contraction is on by default there
libc6-dev-arm64-cross   its C library
gcc-s390x-linux-gnu     s390x: big endian
libc6-dev-s390x-cross   its C library
gcc-riscv64-linux-gnu   riscv64: unsigned char, strict alignment
libc6-dev-riscv64-cross  its C library
'
packages_bench='
nginx-light             what the daemon is held against
wrk                     the client of both
curl                    fetches the bodies that nginx serves
iproute2                ss: is a port free
procps                  pgrep: the worker process of nginx
'
packages_fuzz='
clang                   the compiler that brings libFuzzer
libclang-rt-14-dev      libFuzzer and the sanitizers of clang
'

case "${1:-}" in
build) list=$packages_build ;;
test) list=$packages_test ;;
cross) list=$packages_cross ;;
fuzz) list=$packages_fuzz ;;
bench) list=$packages_bench ;;
*)
    echo "usage: sh deploy/deps.sh build|test|cross|fuzz|bench" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "deps.sh: not a Debian system; needed for '$1' under their Debian names:" >&2
    echo "$list" | awk 'NF { printf "  %s\n", $1 }' >&2
    exit 0
fi

missing=
for package in $(echo "$list" | awk 'NF { print $1 }'); do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
        missing="$missing $package"
done
[ -n "$missing" ] || exit 0

install="apt-get install -y --no-install-recommends$missing"

refuse() {
    echo "deps.sh: $1 Run this as root:" >&2
    echo "  apt-get update && $install" >&2
    exit 1
}

if [ "$(id -u)" -eq 0 ]; then
    echo "deps.sh: installing what '$1' needs:$missing"
    sudo=
elif command -v sudo >/dev/null 2>&1; then
    echo "deps.sh: sudo, because installing packages that '$1' needs takes root:$missing"
    sudo=sudo
else
    refuse "packages are missing, and there is neither root nor sudo."
fi

# A machine that has just started may still run its own updates: wait for the lock.
lock='-o DPkg::Lock::Timeout=120'
$sudo apt-get $lock update -q || refuse "apt-get update failed."
# env, because sudo does not pass the variable on.
$sudo env DEBIAN_FRONTEND=noninteractive $install $lock || refuse "apt-get install failed."
