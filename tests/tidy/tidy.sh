#!/bin/sh
# SPDX-License-Identifier: MIT
#
# tidy.sh: what the house rules say and a compiler does not check, one line for each fault: includes
# point down (core <- api <- server) and see of core its public headers and its base alone, a library
# is used in its one room, core takes nothing from libc that allocates, asks the clock or differs
# between machines, and files have their form. Part of `make test`; run from the root of the tree.
set -u

faults=$(mktemp) || exit 1
trap 'rm -f "$faults"' EXIT

# forbid REASON PATTERN PATHS...: no line of these C files matches.
forbid() {
    reason=$1
    pattern=$2
    shift 2
    grep -rnE --include='*.[ch]' -e "$pattern" "$@" 2>/dev/null |
        sed "s|^\([^:]*:[0-9]*\):.*|\1: $reason|" >>"$faults"
}

# only_in ROOM HEADER: a library's header is included in its one room.
only_in() {
    grep -rnE --include='*.[ch]' "^ *# *include *<$2" core api server |
        grep -v "^$1/" | sed "s|^\([^:]*:[0-9]*\):.*|\1: <$2> belongs to $1|" >>"$faults"
}

# Headers of ISO C that core may use; <stdio.h> for snprintf, <math.h> for sqrt, <stdatomic.h> for
# the mark that the self-test has passed.
core_headers='stdarg|stdbool|stddef|stdint|stdio|string|float|limits|math|fenv|inttypes|stdatomic'
grep -rnE --include='*.[ch]' '^ *# *include *<' core | grep -vE "<($core_headers)\.h>" |
    sed 's|^\([^:]*:[0-9]*\):.*|\1: core may not include this|' >>"$faults"

# What libloam.a takes from outside: no allocation, clock, output, or function of <math.h> but sqrt.
# Names that begin with _ are the compiler's: processor levels, checks that are on by default, and
# division in 128 bits.
outside='memcpy|memmove|memset|memcmp|memchr|strlen|strcmp|strncmp|snprintf|vsnprintf|sqrtf?'
outside="$outside|fegetround|fesetround|__cpu_model|__cpu_indicator_init|__stack_chk_fail"
outside="$outside|__v?snprintf_chk|_GLOBAL_OFFSET_TABLE_|__(u?div|u?mod|u?divmod)ti[34]"
library=${LOAM_BUILD:-build}/lib/libloam.a
if [ -e "$library" ]; then
    nm "$library" | awk '$1 == "U" { wanted[$2] = 1 } NF == 3 { given[$3] = 1 }
        END { for (name in wanted) if (!(name in given)) print name }' |
        grep -vxE "$outside" | sed 's|$|: core may not call this|' >>"$faults"
fi

forbid 'core includes nothing above it' '^ *# *include *"(api|server|tests)/' core
forbid 'api includes nothing of the server' '^ *# *include *"(server|tests)/' api
grep -rnE --include='*.[ch]' '^ *# *include *"core/' api server |
    grep -vE '"core/(loam[a-z_]*|base/[a-z_]+)\.h"' |
    sed 's|^\([^:]*:[0-9]*\):.*|\1: of core only its public headers and its base serve here|' >>"$faults"
forbid 'the server includes no tests' '^ *# *include *"tests/' server
forbid 'includes are written from the root' '^ *# *include *"[^/"]*"' core api server tests

# below ROOM ROOMS: a room of the server includes none of these.
below() {
    reason="server/$1 includes no room above it"
    forbid "$reason" "^ *# *include *\"server/($2)/" "server/$1"
}
below slot 'flight|world|cell|dungeon|job|admin|flow'
below flight 'cell|dungeon|job|admin|flow'
below world 'flight|cell|dungeon|job|admin|flow'
below cell 'dungeon|job|admin|flow'
below dungeon 'cell|job|admin|flow'
below job 'admin|flow'
below admin 'flight|world|cell|dungeon|job|flow'

only_in server/http microhttpd
only_in server/http gnutls/
only_in server/loop uv
only_in server/store sqlite3
only_in api/client curl/

forbid 'no notes to oneself' '(TODO|FIXME)' core api server tests
forbid 'no tabs' '	' core api server tests
forbid 'no spaces at the end' ' $' core api server tests
forbid 'lines end before column 101' '^.{101}' core api server tests

for file in $(find core api server tests -name '*.[ch]'); do
    case $(head -n 1 "$file") in
    *'SPDX-License-Identifier: MIT'*) ;;
    *) echo "$file:1: no licence line" >>"$faults" ;;
    esac
done

find core api server -name '*.[ch]' ! -name main.c | sed 's|.*/||' | sort | uniq -d |
    sed 's|$|: two files have this name|' >>"$faults"

cat "$faults"
[ ! -s "$faults" ]
