#!/bin/sh
# Makes .venv and installs girih in it: sh tools/bootstrap.sh [extra ...]
#
# Wants Python >= 3.11 with venv and headers, and a C compiler; what is missing is named with the line that installs it,
# and the exit status is 2. A second run does nothing unless a source, an extra or the interpreter changed.
# PYTHON and CC choose an interpreter and a compiler.
set -eu
cd "$(dirname "$0")/.."

PATH=${PATH:-/usr/local/bin:/usr/bin:/bin} # an empty environment has none, and compilers look their tools up in it
export PATH

stamp=.venv/girih-stamp # three lines: what .venv was made for, which extras it holds, what girih was built from

say() {
    printf 'girih: %s\n' "$*" >&2
}

recent() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

# The first Python that is new enough, or nothing.
find_python() {
    if [ -n "${PYTHON:-}" ]; then
        set -- "$PYTHON"
    else
        set -- python3 python3.14 python3.13 python3.12 python3.11
    fi
    for candidate; do
        if command -v "$candidate" >/dev/null && recent "$candidate"; then
            printf '%s' "$candidate"
            return
        fi
    done
}

python_has() {
    "$python" -c "$1" >/dev/null 2>&1
}

# A compiler counts only when it compiles and links: macOS has a cc that merely offers to install one,
# and a gcc without the C library's headers compiles nothing.
compiles() {
    scratch=$(mktemp -d)
    printf '#include <stdint.h>\n#include <string.h>\nint main(void) { return (int)strlen(""); }\n' >"$scratch/a.c"
    # Unquoted: CC may carry options.
    if $1 -o "$scratch/a.out" "$scratch/a.c" >/dev/null 2>&1; then
        rm -rf "$scratch"
        return 0
    fi
    rm -rf "$scratch"
    return 1
}

find_compiler() {
    if [ -n "${CC:-}" ]; then
        set -- "$CC"
    else
        set -- cc gcc clang
    fi
    for candidate; do
        if compiles "$candidate"; then
            printf '%s' "$candidate"
            return
        fi
    done
}

# "python3-venv python3-dev" for the system's python3; the versioned packages for a versioned name.
debian_python() {
    case ${python##*/} in
    python3.*) printf '%s' "${python##*/}" ;;
    *) printf 'python3' ;;
    esac
}

python=$(find_python)
compiler=$(find_compiler)
missing=''
debian=''
homebrew=''
xcode=''
if [ -z "$python" ]; then
    missing="$missing, Python 3.11 or newer"
    debian="$debian python3 python3-venv python3-dev"
    homebrew="$homebrew python@3.13"
else
    if ! python_has 'import ensurepip, venv'; then
        missing="$missing, the venv module of $python"
        debian="$debian $(debian_python)-venv"
        homebrew="$homebrew python@3.13"
    fi
    if ! python_has 'import os, sysconfig; os.stat(os.path.join(sysconfig.get_path("include"), "Python.h"))'; then
        missing="$missing, Python.h of $python"
        debian="$debian $(debian_python)-dev"
        homebrew="$homebrew python@3.13"
    fi
fi
if [ -z "$compiler" ]; then
    missing="$missing, a C compiler with its library"
    debian="$debian gcc libc6-dev"
    xcode=yes
fi

if [ -n "$missing" ]; then
    say "missing: ${missing#, }. Install it with:"
    if command -v apt-get >/dev/null; then
        sudo=$([ "$(id -u)" = 0 ] || printf 'sudo ')
        say "    ${sudo}apt-get install -y$debian"
        if [ -z "$python" ] && command -v python3 >/dev/null; then
            say "(python3 here is $(python3 --version 2>&1); where that line brings none newer, PYTHON=/path/to/python3 names one)"
        fi
    elif [ "$(uname)" = Darwin ]; then
        if [ -n "$xcode" ]; then
            say "    xcode-select --install"
        fi
        if [ -n "$homebrew" ]; then
            say "    brew install python@3.13"
        fi
    else
        say "    this system's package manager (Debian calls it:$debian)"
    fi
    exit 2
fi

home=$("$python" -c 'import os, sys; print(os.getcwd(), sys.executable, sys.version.replace("\n", " "))')
sources=$({
    printf '%s\n' "$compiler"
    find CMakeLists.txt pyproject.toml core src \
        \( -name __pycache__ -o -name '.*_cache' \) -prune -o -type f -exec cksum {} + | sort
} | cksum)

# Extras add up, so that `make demo` after `make test` has nothing to do.
extras=''
if [ "$(sed -n 1p "$stamp" 2>/dev/null)" = "$home" ]; then
    extras=$(sed -n 2p "$stamp")
fi
for extra; do
    case ",$extras," in
    *",$extra,"*) ;;
    *) extras=${extras:+$extras,}$extra ;;
    esac
done
now="$home
$extras
$sources"

if [ "$(cat "$stamp" 2>/dev/null)" = "$now" ] && .venv/bin/python -c 'import girih' 2>/dev/null; then
    exit 0
fi
if [ "$(sed -n 1p "$stamp" 2>/dev/null)" != "$home" ] || ! .venv/bin/python -c 'import pip' 2>/dev/null; then
    say "making .venv with $("$python" --version)"
    "$python" -m venv --clear .venv
    printf '%s\n' "$home" >"$stamp"
fi
say "building girih with $compiler and installing it in .venv (about a minute)"
CC=$compiler .venv/bin/python -m pip install --quiet --disable-pip-version-check ".${extras:+[$extras]}"
printf '%s\n' "$now" >"$stamp"
