# shellcheck shell=bash
# Part of install.sh: an existing Prometheus or Alertmanager is kept. It gets files in folders that it includes, or lines between
# two marks in its configuration. `hoster-exporter setup join` plans and adds them.

is_joined() { grep -qs "^$1 " "$RECORD/joined"; }

# Prints the process of a Prometheus or an Alertmanager, not one in a container, which has its own network.
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

# find_daemon KIND UNIT: finds the process of an existing daemon.
find_daemon() {
  local found
  # Only root knows what install.sh installed.
  [[ ! -d $RECORD || -r $RECORD ]] && [[ -z $(recorded_sum "/etc/default/$2") ]] || return 0
  found=$(process_of "$1")
  [[ -z $found ]] || process[$1]=$found
}

# join WORD...: runs a part of `setup join`.
join() {
  "$COMMAND" setup join "$@" --directory="$work/setup" --prometheus="${process[prometheus]:-${api[prometheus]}}" \
    --alertmanager="${process[alertmanager]:-${api[alertmanager]}}"
}

# planned KIND NAME: prints a value of the plan for an existing daemon.
planned() { answer "$2" "$work/setup/join/$1.yml"; }

# plan_daemon KIND: shows the missing lines of an existing daemon, and asks whether to add them.
plan_daemon() {
  [[ -v process[$1] ]] || return 0
  step "Your ${1^}"
  $dry && { say '  would show the missing lines and ask whether to add them' && return; }
  join plan "$1" "--yes=$overwrite"
  api[$1]=$(planned "$1" url)
}

# planned_file NAME: prints the path of a file for Prometheus, unless it has loaded one that this script did not write.
planned_file() {
  local path
  path=$(planned prometheus "$1_file")
  if [[ $(planned prometheus "has_$1") != true || -n $(recorded_sum "$path") ]]; then echo "$path"; fi
}

# join_daemon KIND FILE...: applies the plan, and reloads also for new files.
join_daemon() {
  local path reloaded=$RECORD/reloaded-$1 is_new=false
  $dry && return
  path=$(planned "$1" configuration)
  make_record
  is_joined "$1" || printf '%s %s\n' "$1" "$path" >>"$RECORD/joined"
  [[ -z $path || -f $RECORD/before$path || $(planned "$1" is_joined) != true ]] || keep_original "$path"
  ! is_older "$(stat -c %.9Z "$reloaded" 2>/dev/null | tr -d .)" "${@:2}" || is_new=true
  join apply "$1" "--reload=$is_new"
  touch "$reloaded"
}

# host_of KIND: prints the address of a daemon without scheme and prefix.
host_of() { sed 's|^[a-z]*://||; s|/.*||' <<<"${api[$1]}"; }
