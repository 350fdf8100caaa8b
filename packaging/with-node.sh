#!/usr/bin/env bash
# Runs a command with another version of Node, which it installs into .build/node:
#
#   packaging/with-node.sh oldest npm test    the oldest Node that package.json allows
#   packaging/with-node.sh newest npm test    the image's Node, which is the newest LTS
#
# It is never a dependency, since its `node` would then replace the other one in every script.
set -euo pipefail

name=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd)
case $name in
  oldest) version=$(sed -n 's/^ *"node": ">=\([0-9.]*\)".*/\1/p' "$root/package.json") ;;
  newest) version=$(sed -n 's/^ARG NODE_IMAGE=.*node:\([0-9.]*\)-slim@.*$/\1/p' "$root/Dockerfile") ;;
  *) echo "with-node.sh: got $name, expected oldest or newest" >&2 && exit 2 ;;
esac
folder=$root/.build/node/$name
package=node-$(node -p 'process.platform + "-" + process.arch')

npm install --silent --no-save --no-package-lock --no-audit --no-fund --ignore-scripts \
  --prefix "$folder" "$package@$version"
ln -sf "node_modules/$package/bin/node" "$folder/node"
PATH=$folder:$PATH exec "$@"
