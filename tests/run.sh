#!/usr/bin/env bash
# Sets up an environment with all that the tests need and runs them: lint, types, tests, and the rules held against each other.
#   bash tests/run.sh [PYTEST ARGUMENTS]
# PYTHON names the interpreter (python3), VENV the folder of the environment (.venv).
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3} venv=${VENV:-.venv}

install() {  # Debian packages, where this user may install them
  command -v apt-get >/dev/null || return 1
  local root=()
  if [ "$(id -u)" -ne 0 ]; then
    sudo -n true 2>/dev/null || return 1
    root=(sudo -n)
  fi
  "${root[@]}" apt-get -qq -o Acquire::Retries=3 update </dev/null &&
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o Acquire::Retries=3 install --no-install-recommends "$@" </dev/null >/dev/null
}

"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: PYTHON=python3.13 bash tests/run.sh" >&2; exit 2; }
if [ -e "$venv" ] && [ ! -e "$venv/pyvenv.cfg" ]; then echo "$venv is there and is no environment of Python's" >&2; exit 2; fi
if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
  "$python" -m venv --clear "$venv" || { install python3-venv && "$python" -m venv --clear "$venv"; }
fi
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check -e '.[test]'
wanted=()
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || wanted+=(chromium)
"$venv/bin/playwright" --version >/dev/null 2>&1 || wanted+=(libatomic1)
if [ ${#wanted[@]} -gt 0 ]; then
  echo "Installing ${wanted[*]} for the browser tests"
  install "${wanted[@]}" || { echo "They could not be installed; the browser tests will be skipped"; [ "${CI:-}" != true ]; }
fi

set -x
"$venv/bin/ruff" check
"$venv/bin/mypy"
"$venv/bin/python" -m pytest "$@"
"$venv/bin/lawspeaker" check
