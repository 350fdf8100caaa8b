# shellcheck shell=bash
# Part of install.sh: Grafana, where it is there or its source is.

# Succeeds for an existing Grafana.
is_foreign_grafana() { is_package installed grafana && [[ -z $(recorded_sum /etc/systemd/system/grafana-server.service.d/hoster.conf) ]]; }

# Asks before it adds something to an existing Grafana.
plan_grafana() {
  graphs=${HOSTER_GRAFANA:-}
  [[ -z $graphs ]] && is_foreign_grafana || return 0
  step 'Your Grafana'
  say 'Found an existing Grafana. It can get a data source "Hoster" and the dashboards in the folder "Hoster", with a restart.'
  say 'Its address, users, data sources and settings do not change. Without a terminal, set HOSTER_GRAFANA=yes to agree.'
  graphs=no
  if is_joined grafana || $overwrite || confirm 'Add them?'; then graphs=yes; fi
}

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

# Our data source in an existing Grafana has its own name and is not the default.
write_source() {
  sed "s|http://prometheus:9090|${api[prometheus]}|; s|http://alertmanager:9093|${api[alertmanager]}|" \
    "$share/grafana/provisioning/datasources/prometheus.yml" >"$work/datasource"
  ! is_foreign_grafana || sed -i -e '/isDefault/d; s/name: Prometheus/name: Hoster/; s/name: Alertmanager/name: Hoster Alertmanager/' \
    -e 's/\([uU]id\): \(prometheus\|alertmanager\)$/\1: hoster-\2/' "$work/datasource"
}

install_grafana() {
  [[ ${graphs:-} != no ]] || return 0
  step 'Graphs'
  if ! is_package installed grafana; then
    if [[ $(apt-cache policy grafana 2>/dev/null | sed -n 's/ *Candidate: //p') != [0-9]* ]]; then
      say 'There is no source for the package grafana. To get the dashboards, add it and run this command again:'
      say 'https://grafana.com/docs/grafana/latest/setup-grafana/installation/debian/'
      return
    elif is_listening 3000; then
      say "Port 3000 is in use$(taken_by 3000), so Grafana is not installed. You can import the dashboards in $share/grafana/dashboards."
      return
    fi
  fi
  local file folder files=()
  # Before the package, whose service would listen on all addresses after a reboot.
  printf '[Service]\nEnvironment=GF_SERVER_HTTP_ADDR=127.0.0.1\n' >"$work/drop-in"
  is_foreign_grafana || put "$work/drop-in" /etc/systemd/system/grafana-server.service.d/hoster.conf
  local version
  if ! is_package installed grafana; then
    version=$(apt-cache madison grafana 2>/dev/null | sed -n 's/^[^|]*| *\(12\.4\.[^ ]*\) .*/\1/p' | head -n 1)
    [[ -n $version ]] || say 'The dashboards are tested with Grafana 12.4, which is not available here: installing the newest one.'
    install_packages "grafana${version:+=$version}"
  fi
  folder=$(sed -n 's/^PROVISIONING_CFG_DIR=//p' /etc/default/grafana-server 2>/dev/null || true)
  write_source
  put "$work/datasource" "${folder:=/etc/grafana/provisioning}/datasources/hoster.yml"
  files=("$folder"/{datasources,dashboards}/hoster*.yml)
  for file in "$share"/grafana/provisioning/dashboards/*.yml; do
    put "$file" "$folder/dashboards/hoster-$(basename "$file")"
  done
  for file in "$share"/grafana/dashboards/*.json; do
    cp "$file" "$work/board"
    ! is_foreign_grafana ||
      sed -i 's|^\( *\)"query": "prometheus"$|&,\n\1"current": { "text": "Hoster", "value": "hoster-prometheus" }|' "$work/board"
    put "$work/board" "/var/lib/grafana/dashboards/hoster/$(basename "$file")"
  done
  if is_foreign_grafana; then
    $dry || is_joined grafana || printf 'grafana %s\n' "$folder" >>"$RECORD/joined"
    ! is_older "$(started_at grafana-server)" "${files[@]}" /var/lib/grafana/dashboards/hoster || run systemctl try-restart grafana-server
  else
    run systemctl daemon-reload
    restart grafana-server "${files[@]}"
  fi
  $dry && return
  if ! systemctl is-active --quiet grafana-server && is_foreign_grafana; then
    say 'Your Grafana is not running. The dashboards appear when you start it.'
  elif wait_until grafana-server is_grafana_up; then
    if is_foreign_grafana; then
      say "Your Grafana at http://$(grafana_address) has the dashboards in the folder Hoster."
    else
      say "Grafana runs at http://$(grafana_address). Log in as admin with the password admin, and change it."
    fi
  else
    journalctl -u grafana-server -n 10 --no-pager >&2 2>/dev/null || true
    ! is_foreign_grafana || "$share/packaging/deb/leave" grafana
    fail 'Grafana did not start with the dashboards (see above).' \
      'Everything else is running. Fix it and run the command again. An existing Grafana was restored.'
  fi
}
