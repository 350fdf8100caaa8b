# shellcheck shell=bash
# Part of install.sh: starts services, restarts those whose program or files have changed, and waits until they are ready.

# start_service UNIT CREDENTIAL FILE...: starts a service of the package. Restores its credential if a drop-in for all units
# removes it, as in LXC containers.
start_service() {
  local taker='' drop_in=/etc/systemd/system/$1.service.d/zzzz-hoster-credential.conf
  $dry || taker=$(systemctl cat "$1" | awk '/^# \// { file = $2 } /^LoadCredential=$/ { taker = file } /^LoadCredential=./ { taker = "" } END { print taker }')
  if [[ -n $taker ]]; then
    say "$taker removes the credentials of all units, so a drop-in restores the one for $1."
    printf '[Service]\nLoadCredential=%s\n' "$2" >"$work/drop-in"
    put "$work/drop-in" "$drop_in"
    run systemctl daemon-reload
  fi
  restart "$1" "$drop_in" /var/lib/dpkg/info/hoster-exporter{,-node}.md5sums "${@:3}"
}

# restart UNIT FILE...: starts it, now and after every reboot, and restarts it unless this script has already done so with these
# files and has not changed any since. No clocks are compared: they may have been wrong.
restart() {
  local unit=$1 file contents
  shift
  systemctl is-enabled --quiet "$unit" 2>/dev/null || run systemctl enable --quiet "$unit"
  contents=$(for file in "$@"; do [[ ! -r $file ]] || sha256sum "$file"; done)
  if ! systemctl is-active --quiet "$unit" || is_outdated "$unit" || has_changed "$@" ||
    [[ -r $RECORD && $(cat "$RECORD/running/$unit" 2>/dev/null) != "$contents" ]]; then
    run systemctl restart "$unit"
    $dry || { mkdir -p "$RECORD/running" && echo "$contents" >"$RECORD/running/$unit"; }
  fi
}

# Succeeds if a service runs a program or a unit that has been replaced.
is_outdated() {
  [[ $(systemctl show --property NeedDaemonReload --value "$1") != yes ]] || { run systemctl daemon-reload && return 0; }
  [[ $(readlink "/proc/$(systemctl show --property MainPID --value "$1")/exe") == *' (deleted)' ]]
}

# has_changed FILE...: succeeds in a preview if one of the files would be written.
has_changed() {
  local file
  for file in "$@"; do [[ " ${changed[*]} " != *" $file "* ]] || return 0; done
  return 1
}

responds() { curl -fsk --max-time 5 -o /dev/null "$@" 2>/dev/null; }

# Prints a response from the exporter. Over its socket, since a web configuration may require a login.
responds_with() { curl -fs --max-time 10 --unix-socket /run/hoster-exporter/web.sock "http://localhost$1" 2>/dev/null || true; }

is_exporter_ready() { responds http://127.0.0.1:9823/-/ready || [[ -n $(responds_with /-/ready) ]]; }

# wait_until UNIT COMMAND...: waits up to a minute until a command succeeds, or until the unit fails.
wait_until() {
  local tries
  for ((tries = 0; tries < 120; tries += 1)); do
    "${@:2}" && return
    ! systemctl is-failed --quiet "$1" || return 1
    sleep 0.5
  done
  return 1
}

# wait_for UNIT COMMAND...
wait_for() {
  $dry || wait_until "$@" && return
  journalctl -u "$1" -n 10 --no-pager >&2 2>/dev/null || true
  fail "$1 did not become ready (see above)." 'Fix it and run the command again.'
}
