# shellcheck shell=bash
# Part of install.sh: Grafana, if it or its source is there. One that somebody else installed is not changed: it gets files in
# /etc/hoster-exporter/join/grafana, which its owner copies.

# Succeeds for an existing Grafana.
is_foreign_grafana() { is_package installed grafana && [[ -z $(recorded_sum /etc/systemd/system/grafana-server.service.d/hoster.conf) ]]; }

# Prints the address of Grafana once it listens.
grafana_address() {
  local pid
  pid=$(systemctl show --property MainPID --value grafana-server)
  ss -ltnpH 2>/dev/null | awk -v pid="pid=$pid," 'index($0, pid) { sub(/^(\*|0\.0\.0\.0|\[::\])/, "127.0.0.1", $4); print $4; exit }'
}

is_grafana_up() {
  local address
  address=$(grafana_address)
  [[ -n $address ]] && { responds "http://$address/api/health" || responds "https://$address/api/health"; }
}

# write_source FILE: writes the data sources for this machine.
write_source() {
  sed "s|http://prometheus:9090|${api[prometheus]}|; s|http://alertmanager:9093|${api[alertmanager]}|" \
    "$share/grafana/provisioning/datasources/prometheus.yml" >"$1"
}

# Writes the files for an existing Grafana, and says how to copy them. Our data sources have their own names there.
offer_grafana() {
  local target=$ETC/join/grafana folder board
  folder=$(sed -n 's/^PROVISIONING_CFG_DIR=//p' /etc/default/grafana-server 2>/dev/null || true)
  $dry && { say "  would write the dashboards for your Grafana into $target" && return; }
  mkdir -p "$target/dashboards"
  write_source "$target/datasources.yml"
  sed -i -e '/isDefault/d; s/name: Prometheus/name: Hoster/; s/name: Alertmanager/name: Hoster Alertmanager/' \
    -e 's/\([uU]id\): \(prometheus\|alertmanager\)$/\1: hoster-\2/' "$target/datasources.yml"
  sed "s|path: .*|path: $target/dashboards|" "$share/grafana/provisioning/dashboards/hoster.yml" >"$target/dashboards.yml"
  for board in "$share"/grafana/dashboards/*.json; do
    sed 's|^\( *\)"query": "prometheus"$|&,\n\1"current": { "text": "Hoster", "value": "hoster-prometheus" }|' "$board" \
      >"$target/dashboards/${board##*/}"
  done
  for board in datasources dashboards; do
    cmp -s "$target/$board.yml" "${folder:=/etc/grafana/provisioning}/$board/hoster.yml" && continue
    printf '%s\n' 'Your Grafana is not changed. To get the data source Hoster and the dashboards in the folder Hoster, run:' \
      "  sudo cp $target/datasources.yml $folder/datasources/hoster.yml" \
      "  sudo cp $target/dashboards.yml $folder/dashboards/hoster.yml" '  sudo systemctl restart grafana-server'
    return
  done
  say 'Your Grafana has the data source and the dashboards.'
}

install_grafana() {
  step 'Graphs'
  if is_foreign_grafana; then
    offer_grafana
    return
  elif ! is_package installed grafana; then
    if [[ $(apt-cache policy grafana 2>/dev/null | sed -n 's/ *Candidate: //p') != [0-9]* ]]; then
      say 'There is no source for the package grafana. To get the dashboards, add it and run this command again:'
      say 'https://grafana.com/docs/grafana/latest/setup-grafana/installation/debian/'
      return
    elif is_listening 3000; then
      say "Port 3000 is in use$(taken_by 3000), so Grafana is not installed. You can import the dashboards in $share/grafana/dashboards."
      return
    fi
  fi
  local file folder version files=()
  # Before the package is installed: its service would listen on all addresses after a reboot.
  printf '[Service]\nEnvironment=GF_SERVER_HTTP_ADDR=127.0.0.1\n' >"$work/drop-in"
  put "$work/drop-in" /etc/systemd/system/grafana-server.service.d/hoster.conf
  if ! is_package installed grafana; then
    version=$(apt-cache madison grafana 2>/dev/null | sed -n 's/^[^|]*| *\(12\.4\.[^ ]*\) .*/\1/p' | head -n 1)
    [[ -n $version ]] || say 'The dashboards are tested with Grafana 12.4, which is not available here: installing the newest one.'
    install_packages "grafana${version:+=$version}"
  fi
  folder=$(sed -n 's/^PROVISIONING_CFG_DIR=//p' /etc/default/grafana-server 2>/dev/null || true)
  write_source "$work/datasource"
  put "$work/datasource" "${folder:=/etc/grafana/provisioning}/datasources/hoster.yml"
  files=("$folder"/{datasources,dashboards}/hoster*.yml)
  put "$share/grafana/provisioning/dashboards/hoster.yml" "$folder/dashboards/hoster.yml"
  for file in "$share"/grafana/dashboards/*.json; do
    put "$file" "/var/lib/grafana/dashboards/hoster/$(basename "$file")"
  done
  restart grafana-server "${files[@]}"
  $dry && return
  if wait_until grafana-server is_grafana_up; then
    say "Grafana runs at http://$(grafana_address). Log in as admin with the password admin, and change it."
  else
    journalctl -u grafana-server -n 10 --no-pager >&2 2>/dev/null || true
    fail 'Grafana did not start with the dashboards (see above).' 'Everything else is running. Fix it and run the command again.'
  fi
}
