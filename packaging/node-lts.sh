#!/usr/bin/env bash
# Puts the Node of our image, the newest LTS, at .build/node-lts/node, beside the one that runs npm. It is never a
# dependency, since its `node` would then take the place of the other in every script.
set -euo pipefail

release=$(sed -n 's/^ARG NODE_IMAGE=.*node:\([0-9.]*\)-slim@.*$/\1/p' Dockerfile)
package=node-$(node -p 'process.platform + "-" + process.arch')
folder=.build/node-lts

npm install --silent --no-save --no-package-lock --no-audit --no-fund --ignore-scripts \
  --prefix "$folder" "$package@$release"
ln -sf "node_modules/$package/bin/node" "$folder/node"
