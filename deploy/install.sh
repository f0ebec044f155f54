#!/bin/sh
# SPDX-License-Identifier: MIT
#
# install.sh install|uninstall BUILD: puts what BUILD holds below DESTDIR, or takes it away again. One
# list says what goes where, so that both agree. From the environment: DESTDIR, PREFIX
# (/usr/local), LIBDIR (PREFIX/lib), UNITDIR (PREFIX/lib/systemd/system), SYSCONFDIR (/etc),
# ABI (of the shared libraries), VERSION, PARTS (runtime tools daemon development).
set -eu

action=${1:?install or uninstall}
build=${2:?the build folder}
DESTDIR=${DESTDIR:-}
PREFIX=${PREFIX:-/usr/local}
LIBDIR=${LIBDIR:-$PREFIX/lib}
UNITDIR=${UNITDIR:-$PREFIX/lib/systemd/system}
SYSCONFDIR=${SYSCONFDIR:-/etc}
PARTS=${PARTS:-runtime tools daemon development}
share=$PREFIX/share
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# part, mode (or "link"), source, target.
list() {
    cat <<END
runtime 644 $build/lib/libloam.so.$ABI $LIBDIR/libloam.so.$ABI
runtime 644 $build/lib/libloam_client.so.$ABI $LIBDIR/libloam_client.so.$ABI
development link libloam.so.$ABI $LIBDIR/libloam.so
development link libloam_client.so.$ABI $LIBDIR/libloam_client.so
development 644 $build/lib/libloam.a $LIBDIR/libloam.a
development 644 $build/lib/libloam_api.a $LIBDIR/libloam_api.a
development 644 $build/lib/libloam_client.a $LIBDIR/libloam_client.a
development 644 $work/libloam.pc $LIBDIR/pkgconfig/libloam.pc
development 644 $work/libloam_client.pc $LIBDIR/pkgconfig/libloam_client.pc
tools 755 $build/bin/loam $PREFIX/bin/loam
tools 644 $build/share/loam.1 $share/man/man1/loam.1
tools 644 $build/share/loam.bash $share/bash-completion/completions/loam
daemon 755 $build/bin/loamd $PREFIX/bin/loamd
daemon 644 $build/share/loamd.8 $share/man/man8/loamd.8
daemon 644 $build/share/loamd.conf.5 $share/man/man5/loamd.conf.5
daemon 644 $build/share/loamd.conf $SYSCONFDIR/loam/loamd.conf
daemon 644 $work/loamd.service $UNITDIR/loamd.service
daemon 644 deploy/loam.sysusers $PREFIX/lib/sysusers.d/loam.conf
daemon 644 deploy/nginx.conf $share/doc/loam/examples/nginx.conf
daemon 644 deploy/haproxy.cfg $share/doc/loam/examples/haproxy.cfg
daemon 644 deploy/Containerfile $share/doc/loam/examples/Containerfile
daemon 644 deploy/grafana.json $share/doc/loam/examples/grafana.json
daemon 644 deploy/alerts.yml $share/doc/loam/examples/alerts.yml
END
    for header in core/loam*.h api/client/loam_client.h; do
        echo "development 644 $work/${header##*/} $PREFIX/include/${header##*/}"
    done
}

# Headers lie beside each other when they are installed.
make_files() {
    for header in core/loam*.h api/client/loam_client.h; do
        sed 's|#include "core/\(loam[a-z_]*\.h\)"|#include "\1"|' "$header" >"$work/${header##*/}"
    done
    sed "s|@BINDIR@|$PREFIX/bin|; s|@SYSCONFDIR@|$SYSCONFDIR|" deploy/loamd.service.in \
        >"$work/loamd.service"
    head="prefix=$PREFIX\nlibdir=$LIBDIR\nincludedir=\${prefix}/include\n"
    printf "$head\n%s\n" "Name: libloam
Description: deterministic generation of worlds: what a game server links
Version: $VERSION
Cflags: -I\${includedir}
Libs: -L\${libdir} -lloam
Libs.private: -lm" >"$work/libloam.pc"
    printf "$head\n%s\n" "Name: libloam_client
Description: the C client of loamd
Version: $VERSION
Requires: libloam
Requires.private: libcurl jansson nettle
Cflags: -I\${includedir}
Libs: -L\${libdir} -lloam_client
Libs.private: -lloam_api -lloam -lm" >"$work/libloam_client.pc"
}

wanted() {
    case " $PARTS " in
    *" $1 "*) ;;
    *) return 1 ;;
    esac
}

[ "$action" = uninstall ] || make_files
list | while read -r part mode source target; do
    wanted "$part" || continue
    target=$DESTDIR$target
    if [ "$action" = uninstall ]; then
        # What an operator has written stays.
        [ "${target##*/}" = loamd.conf ] && ! cmp -s "$source" "$target" || rm -f "$target"
        continue
    fi
    mkdir -p "${target%/*}"
    if [ "$mode" = link ]; then
        ln -sf "$source" "$target"
    elif [ "${target##*/}" != loamd.conf ] || [ ! -e "$target" ]; then
        install -m "$mode" "$source" "$target"
    fi
done
