#!/usr/bin/env bash
# validator.sh FOLDER: puts the Khronos glTF validator, which the tests ask about every GLB that they write, into
# FOLDER/node_modules. Where that fails it says so, and the tests that need it skip; with MAPEXPLORER_REQUIRE=1 it fails.
set -u

folder=$1
version=2.0.0-dev.3.10

stop() {
  echo "Not tested: the glTF files with the Khronos validator: $1." >&2
  [ "${MAPEXPLORER_REQUIRE:-}" = 1 ] && exit 1
  exit 0
}

command -v node >/dev/null && command -v npm >/dev/null || stop "node and npm are not installed"
grep -q "\"version\": \"$version\"" "$folder/node_modules/gltf-validator/package.json" 2>/dev/null && exit 0
# An interrupted npm leaves a folder that it may not be able to repair, so it works beside the one that is used.
rm -rf "$folder.new"
npm install --loglevel=error --no-audit --no-fund --prefix "$folder.new" "gltf-validator@$version" >/dev/null ||
  stop "npm could not install it, see above"
rm -rf "$folder"
mv "$folder.new" "$folder"
