#!/bin/bash
# Builds this folder's Debian packages without npm: build-deb.sh FOLDER FINGERPRINT IS_OLD
#
# install.sh calls it. Downloads the packages of the lock file that the build needs, and with IS_OLD=true also Node.js, from the npm
# registry. Nothing with a wrong checksum is used.
set -euo pipefail
shopt -s inherit_errexit
export LC_ALL=C

source=$(realpath --no-symlinks -- "$(dirname -- "$0")/..")
folder=$1 fingerprint=$2 is_old=$3
registry=${npm_config_registry:-https://registry.npmjs.org}

# Status 3 means that the reason has been printed.
fail() {
  printf '\n%s\n%s\n' "$1" "$2" >&2
  exit 3
}

# download FOLDER: extracts packages of the npm registry. Each line of the input has the folder of a package below FOLDER, its
# name, its version and its integrity.
download() {
  local list=$folder/packages archives=$folder/archives path name number=0
  cat >"$list"
  mkdir "$archives"
  awk -v registry="$registry" '{ file = $2; sub(/.*\//, "", file); printf "url = %s/%s/-/%s-%s.tgz\noutput = %d\n", registry, $2, file, $3, NR }' \
    "$list" | (cd "$archives" && curl -fsL --parallel --fail-early --retry 2 --max-time 600 --config - \
    --write-out '%{onerror}%{url} could not be had: %{errormsg}.\n') >"$folder/curl.log" 2>/dev/null ||
    fail "$(tail -n 1 "$folder/curl.log")" 'Check the network and run the command again later.'
  # Each line of od has one checksum of 64 bytes.
  sed 's/.* sha512-//' "$list" | base64 --decode | od -An -v -tx1 -w64 | tr -d ' ' | awk '{ print $0 "  " NR }' >"$folder/checksums"
  (cd "$archives" && sha512sum --check --quiet ../checksums) >"$folder/wrong" 2>/dev/null || {
    name=$(sed -n "$(sed '1s/:.*//; q' "$folder/wrong")s/^[^ ]* \(.*\) .*/\1/p" "$list")
    fail "$name from $registry has a wrong checksum and is not used." \
      'Check for a proxy between this machine and the registry, and run the command again later.'
  }
  while read -r path _; do
    mkdir -p "$1/$path"
    tar --extract --file "$archives/$((number += 1))" --directory "$1/$path" --strip-components 1 --no-same-owner --warning=no-timestamp
  done <"$list"
  rm -r "$archives"
}

mkdir -p "$folder/source"
node=/usr/bin/node options=(--no-node)
if [[ $is_old == true ]]; then
  pinned=$(grep "^node-linux-$(dpkg --print-architecture | sed 's/amd64/x64/') " "$source/packaging/node.txt")
  version=$(cut -d ' ' -f 2 <<<"$pinned")
  node=/usr/lib/hoster-exporter-node/node
  if [[ ! -x $node || $($node --version) != "v$version" ]]; then
    echo "The Node.js of the distribution is too old: getting Node.js $version from the npm registry."
    download "$folder" <<<"node $pinned"
    node=$folder/node/bin/node options=("--node=$folder/node")
  fi
fi
tar --create --exclude ./node_modules --exclude ./.build --exclude ./.git --exclude ./secrets --exclude ./dist --directory "$source" . |
  tar --extract --directory "$folder/source" --no-same-owner --warning=no-timestamp
cd "$folder/source"
"$node" packaging/packages.mjs >"$folder/needed"
download "$folder/source" <"$folder/needed"
{
  PATH=$PWD/node_modules/typescript/bin:${node%/*}:$PATH sh -c "$(sed -n 's/^ *"compile": "\(.*\)",$/\1/p' package.json)" &&
    "$node" packaging/deb.mjs "$folder" --uncompressed "--built-from=$fingerprint" "${options[@]}"
} &>"$folder/build.log" || {
  log=$(tail -n 15 "$folder/build.log")
  printf '%s\n' "${log//"$folder/"/}" >&2
  fail 'The program could not be built.' 'The installed exporter was not changed. Run the command again.'
}
