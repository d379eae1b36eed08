#!/bin/sh
# What `make demo` shows once tools/bootstrap.sh has made .venv: a real file signed and verified, a tampered one caught,
# and how long things take on this machine.
set -eu
cd "$(dirname "$0")/.."
PATH=$PWD/.venv/bin:${PATH:-/usr/local/bin:/usr/bin:/bin}
export PATH

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

show() {
    printf '\n$ %s\n' "$*"
    "$@"
}

# The file: the compiled core itself.
cp "$(python -c 'import girih._core as core; print(core.__file__)')" "$folder/girih-core"

cd "$folder"

show girih info
show girih keygen --set ml-dsa-65 -o key.pem
show ls -l girih-core key.pem key.pub
show girih sign -k key.pem girih-core
show girih verify -k key.pub girih-core

printf '\nNow one byte is added to the file.\n\n$ printf x >> girih-core\n'
printf x >>girih-core
status=0
show girih verify -k key.pub girih-core || status=$?
if [ "$status" -ne 1 ]; then
    printf 'demo: the tampered file should have given exit status 1, it gave %s\n' "$status" >&2
    exit 1
fi
printf '(exit status 1, as it should be)\n'

show girih bench --message-size 1024 --duration 0.3 --repeats 3
