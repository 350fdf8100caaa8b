# shellcheck shell=bash
# Part of install.sh: removal.

# Prints the packages that apt-get would remove. Packages that hoster-exporter suggests are needed, whatever apt-get's settings.
removed_by() {
  apt-get --simulate -o APT::AutoRemove::SuggestsImportant=true "$@" | sed -n 's/^\(Remv\|Purg\) \([^ :]*\).*/\2/p' | sort -u
}

remove() {
  [[ $EUID == 0 ]] || fail 'This needs root.' "Run: sudo $SOURCE/install.sh $*"
  local name going=() staying=() came
  if ! is_package installed hoster-exporter && ! is_package config-files hoster-exporter; then
    # A run that was interrupted early has left its answers, and packages that it needs.
    if $purge && ! $dry && [[ ! -f $RECORD/files && (-f $ETC/key || -d $ETC/.answers || -f $RECORD/packages) ]]; then
      mark_automatic
      mapfile -t going < <(comm -12 <({ cat "$RECORD/packages" 2>/dev/null || true; } | sort -u) <(removed_by autoremove))
      ((${#going[@]} == 0)) || apt_get purge -y -qq "${going[@]}" || fail 'apt-get could not remove the packages.' 'Run the command again.'
      rm -rf $ETC/{hoster-exporter.yml,key,environment,setup.yml,channel-secret,watchdog-url,.answers} "$RECORD"
      [[ ! -d $ETC ]] || rmdir --ignore-fail-on-non-empty $ETC
      say 'The answers and packages of an interrupted run were removed. Nothing else is installed.'
      return
    fi
    fail 'The package hoster-exporter is not installed.' 'Nothing was changed.'
  fi
  step 'Uninstalling'
  $dry || mark_automatic
  if is_package installed hoster-exporter; then
    # Packages that nothing else needs afterwards.
    mapfile -t going < <(comm -13 <(removed_by autoremove) <(removed_by autoremove hoster-exporter))
    say "  removing the packages: ${going[*]}"
  fi
  mapfile -t came < <({ cat "$RECORD/packages" 2>/dev/null || true; } | sort -u)
  for name in "${came[@]}"; do
    ! is_package installed "$name" || is_going "$name" || staying+=("$name")
  done
  ((${#staying[@]} == 0)) || say "  keeping the packages: ${staying[*]}, which you installed too or other packages need or recommend"
  if $dry; then
    bash "$share/packaging/deb/leave" "$($purge && echo purge)" preview "${going[@]}"
    say 'Nothing was changed.'
    return
  fi
  for name in prometheus prometheus-alertmanager grafana; do
    ! is_going $name || systemctl disable --quiet --now "${name/%grafana/grafana-server}" 2>/dev/null || true
  done
  # Here too, so that its lines are on the terminal.
  bash "$share/packaging/deb/leave" "$($purge && echo purge)"
  make_record
  printf '%s\n' "${going[@]}" >>"$RECORD/removed"
  # Packages that an earlier run removed still have their configuration.
  ! $purge || while read -r name; do
    ! is_package config-files "$name" || going+=("$name")
  done < <(echo hoster-exporter && cat "$RECORD/removed")
  apt_get "$($purge && echo purge || echo remove)" -y -qq "${going[@]}" || {
    tail -n 5 "$work/apt.log" >&2
    fail 'apt-get could not remove the packages.' 'Fix the error above and run the command again.'
  }
  if ! $purge; then
    say 'Uninstalled. Data, key and secrets are kept; --uninstall --purge removes them.'
  elif [[ -d $ETC ]]; then
    find $ETC ! -type d -printf '  keeping %p, which this script did not write\n'
    say 'Everything else was removed.'
  elif ((${#staying[@]})); then
    say 'Everything else was removed.'
  else
    say 'Everything was removed.'
  fi
}

is_going() { [[ " ${going[*]} " == *" $1 "* ]]; }
