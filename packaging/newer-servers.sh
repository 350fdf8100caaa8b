#!/usr/bin/env bash
# Downloads Prometheus 3.5, Alertmanager 0.33 and vmalert of Debian unstable into .build/servers and prints that folder: about
# the versions in compose.yaml, in addition to the distribution's older ones. Nothing is installed.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
folder=$root/.build/servers
mirror=http://deb.debian.org/debian/pool/main
packages='
593bcced02d8082688ea034dfc543848ad145c5f793aae5aad756c4dbdfa98da p/prometheus/prometheus_3.5.3+ds1-6_amd64.deb
1fb8bad7b932e7a44bccb12517f0bd96d5d5d83f15d3a1c0e2aa705cbf93fe90 p/prometheus/promtool_3.5.3+ds1-6_amd64.deb
ec1be21dd7ffeec3d6f42dd1cc8e97b8a9e93888f1953b4fb4cb9234be70185f p/prometheus-alertmanager/prometheus-alertmanager_0.33.1-5_amd64.deb
c858b5c15b1c3a3872ec7520cddb2bb51fc48d4b61b6b88f05ac7304edb44557 v/victoriametrics/victoria-metrics_1.145.0+ds1-2_amd64.deb
'

mkdir -p "$folder"
while read -r hash path; do
  [ -n "$hash" ] || continue
  name=${path##*/}
  done=$folder/${name%.deb}
  [ ! -e "$done" ] || continue
  package=$(mktemp)
  curl --fail --silent --show-error --location --retry 3 --output "$package" "$mirror/$path" || {
    echo "newer-servers.sh: $name is no longer there. Put the newer version and its SHA-256 into this script." >&2
    exit 1
  }
  echo "$hash  $package" | sha256sum --check --quiet
  dpkg -x "$package" "$folder"
  rm "$package"
  touch "$done"
done <<<"$packages"
echo "$folder/usr/bin"
