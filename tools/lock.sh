#!/bin/sh
# Renews requirements/*.txt from pyproject.toml:   tools/lock.sh UV [OPTION ...]
# Pins that are there stay unless --upgrade is given. One lock serves every system and Python from 3.11 on.
set -eu
uv=$1
shift

lock() { # lock FILE WHAT OPTION...: compiles pyproject.toml into FILE
    file=$1 what=$2
    shift 2
    "$uv" --no-config --quiet pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
        --no-header --no-annotate --no-emit-index-url --no-emit-find-links "$@" --output-file "$file" >/dev/null
    { printf '# %s. Made by `make lock`.\n' "$what"; cat "$file"; } >"$file.new"
    mv "$file.new" "$file"
    echo "==> $file"
}

lock requirements/test.txt "What testing needs" --group test --extra fast --extra arena --extra drill --extra envs --extra openspiel \
    --extra table --extra postgres --extra redis --extra terminal "$@"
# Playing is the table, the terminal, and the drills that both offer; it uses the versions that were tested.
lock requirements/play.txt "What playing needs" --group build --extra table --extra terminal --extra drill --constraint requirements/test.txt "$@"
