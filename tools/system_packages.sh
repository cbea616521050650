#!/bin/sh
# Makes sure that commands of the system are there:   tools/system_packages.sh PACKAGE:COMMAND[,FILE] ...
# FILE, a pattern, will do instead of a command on the path.
# As root on Debian the packages of missing commands are installed; elsewhere one line says what to install,
# and the tests that need it skip themselves. With nothing missing it does nothing.
set -eu

there() { # there COMMAND[,FILE]
    command -v "${1%%,*}" >/dev/null 2>&1 && return
    case $1 in
    *,*) # Globbing is wanted: one of the files is enough.
        # shellcheck disable=SC2086
        set -- ${1#*,}
        [ -e "$1" ] ;;
    *) return 1 ;;
    esac
}

missing=
for pair in "$@"; do
    case $pair in
    ?*:?*) ;;
    *) echo "system_packages.sh: expected PACKAGE:COMMAND, got '$pair'" >&2; exit 2 ;;
    esac
    there "${pair#*:}" || missing="$missing ${pair%%:*}"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" -eq 0 ] && [ -e /etc/debian_version ] && command -v apt-get >/dev/null 2>&1; then
    echo "==> installing$missing"
    export DEBIAN_FRONTEND=noninteractive
    apt-get -qq update
    # Word splitting is wanted: one argument a package.
    # shellcheck disable=SC2086
    apt-get -qq install --yes --no-install-recommends $missing >/dev/null
else
    echo "==> not installed; for the full test run, please install:$missing"
fi
