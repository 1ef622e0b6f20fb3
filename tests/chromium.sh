#!/bin/sh
# The browser tests need Chromium. As root it is installed by apt; anybody else is told what to do.
set -eu

found() {
    [ -n "${CHROMIUM:-}" ] && [ -x "$CHROMIUM" ] && return 0
    for name in chromium chromium-browser google-chrome; do
        command -v "$name" >/dev/null 2>&1 && return 0
    done
    return 1
}

found && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "[casino] installing Chromium for the browser tests"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        chromium fonts-dejavu-core >/dev/null
    found && exit 0
fi
echo "The browser tests need Chromium. Install it (Debian: apt-get install chromium), or set" >&2
echo "CHROMIUM to the program of one, and run again." >&2
exit 1
