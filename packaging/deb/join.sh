# shellcheck shell=bash
# Part of install.sh: a Prometheus or an Alertmanager that somebody else installed. It is not changed: `hoster-exporter setup join`
# writes the lines for it into /etc/hoster-exporter/join, prints them, and checks them in the next run.

# Prints the process of a Prometheus or Alertmanager. One in a container, which has its own network, does not count.
process_of() {
  local comm name
  for comm in /proc/[0-9]*/comm; do
    { read -r name <"$comm"; } 2>/dev/null || continue
    # The kernel truncates names to 15 characters.
    [[ $name == "$1" || $name == prometheus-aler && $1 == alertmanager ]] || continue
    [[ ! -r ${comm%/comm}/ns/net || ${comm%/comm}/ns/net -ef /proc/self/ns/net ]] || continue
    basename "${comm%/comm}"
    return
  done
}

# find_daemon KIND UNIT: finds an existing daemon. One that nobody has configured since its package was installed counts as none.
find_daemon() {
  local found arguments
  # Only root knows what install.sh installed.
  [[ ! -d $RECORD || -r $RECORD ]] && [[ -z $(recorded_sum "/etc/default/$2") ]] || return 0
  found=$(process_of "$1")
  if [[ -n $found ]]; then
    mapfile -d '' -t arguments <"/proc/$found/cmdline"
    ((${#arguments[@]} == 1)) && is_untouched "$1" "$2" || process[$1]=$found
  elif is_package installed "$2" && ! is_untouched "$1" "$2"; then
    fail "Your ${1^} is installed, but it is not running." "Start it (systemctl start $2) or remove its package, and run the command again."
  fi
}

# is_untouched KIND UNIT: succeeds if the configuration is the one from Debian's package.
is_untouched() { is_packaged "/etc/default/$2" && is_packaged "/etc/prometheus/$1.yml"; }

# Writes the lines for existing daemons, and checks them. Its output is shown at the end.
join_daemons() {
  if ((${#process[@]} == 0)); then
    [[ ! -d $ETC/join ]] || run rm -r $ETC/join
    return
  fi
  step 'Your own servers'
  $dry && { say "  would write the lines for them into $ETC/join, and print them" && return; }
  local code=0
  [[ ! -v process[alertmanager] ]] || put_secrets "$(stat -c %G "/proc/${process[alertmanager]}")"
  "$COMMAND" setup join --directory="$work/setup" --to=$ETC/join --prometheus="${process[prometheus]:-${api[prometheus]}}" \
    --alertmanager="${process[alertmanager]:-${api[alertmanager]}}" >"$work/join.log" || code=$?
  ((code < 2)) || fail 'The lines for your own servers could not be written.'
  ((code == 0)) || is_joined=false
  api[prometheus]=$(answer prometheus "$work/setup/join.yml")
  api[alertmanager]=$(answer alertmanager "$work/setup/join.yml")
  say 'They are not changed. The lines for them are at the end.'
}

# host_of KIND: prints a daemon's address without the scheme and prefix.
host_of() { sed 's|^[a-z]*://||; s|/.*||' <<<"${api[$1]}"; }
