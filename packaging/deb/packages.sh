# shellcheck shell=bash
# Part of install.sh: Debian packages. Each package that it installs is marked as automatic.

# is_package STATUS NAME: the status is installed, or config-files for a removed package whose configuration remains.
is_package() { [[ " $(dpkg-query --show --showformat='${db:Status-Status} ' "$2" 2>/dev/null) " == *" $1 "* ]]; }

# Options for apt-get: wait for dpkg, and keep changed configuration files.
readonly APT_OPTIONS=(-y -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Options::=--force-confold --no-install-recommends)

is_locked() { [[ -e $1 ]] && grep -qs ":$(stat -c %i "$1") " /proc/locks; }

# Waits up to five minutes for other programs that install packages or fetch package lists, as on a new machine.
wait_for_apt() {
  local tries
  for ((tries = 0; tries < 300; tries += 1)); do
    is_locked /var/lib/dpkg/lock-frontend || is_locked /var/lib/apt/lists/lock || is_locked /var/cache/apt/archives/lock || return 0
    ((tries)) || say 'Another program is installing packages, such as upgrades on a new machine. Waiting up to five minutes …'
    sleep 1
  done
}

# apt_get WORD...: runs apt-get. Tries again if another program locked its files first.
apt_get() {
  local tries
  for ((tries = 0; tries < 60; tries += 1)); do
    wait_for_apt
    # In its own session, because Ctrl-C would leave packages half installed. The script exits afterwards.
    if DEBIAN_FRONTEND=noninteractive setsid --wait apt-get "$@" &>"$work/apt.out" 9>&-; then return; fi
    cat "$work/apt.out" >>"$work/apt.log"
    grep -q 'Could not get lock' "$work/apt.out" || return 1
  done
  return 1
}

# Updates the package lists, once.
update_lists() {
  [[ ! -f $work/updated ]] || return 0
  touch "$work/updated"
  # Package descriptions are not needed.
  apt_get update -qq -o Acquire::Languages=none -o APT::Get::List-Cleanup=0 || true
}

# Marks the packages as automatic that this run or an interrupted one has installed, so that a later `apt-get install` by the owner is
# detected. hoster-exporter suggests them, so that apt-get does not remove them as unused as long as it is there.
mark_automatic() {
  [[ -f $RECORD/automatic ]] || return 0
  wait_for_apt
  xargs -r -n 1 apt-mark auto <"$RECORD/automatic" &>/dev/null || true
  rm "$RECORD/automatic"
}

installed_names() { dpkg-query --show --showformat='${db:Status-Abbrev} ${Package}\n' | sed -n 's/^.i *//p' | sort -u; }

# install_packages NAME|FILE...: installs missing packages, and files.
install_packages() {
  local item name before missing=() names=() automatic=()
  for item in "$@"; do
    if [[ $item == /* ]]; then
      name=$(dpkg-deb --field "$item" Package)
    else
      name=${item%%=*}
      ! is_package installed "$name" || continue
    fi
    missing+=("$item")
    names+=("$name")
    [[ $name == hoster-exporter ]] || is_package installed "$name" || automatic+=("$name")
  done
  ((${#missing[@]})) || return 0
  if $dry; then
    say "  would install these packages: ${names[*]}"
    for name in "${names[@]}"; do changed+=("/var/lib/dpkg/info/$name.md5sums"); done
    return
  fi
  say "Installing ${names[*]} …"
  update_lists
  # After a power cut.
  [[ -z $(ls /var/lib/dpkg/updates) ]] || dpkg --force-confold --configure -a &>>"$work/apt.log" || true
  # Recorded first: an interruption must not make them look like the owner's packages.
  make_record
  ((${#automatic[@]} == 0)) || printf '%s\n' "${automatic[@]}" >>"$RECORD/automatic"
  before=$(installed_names)
  apt_get install "${APT_OPTIONS[@]}" --reinstall --allow-downgrades "${missing[@]}" || {
    tail -n 5 "$work/apt.log" >&2
    fail "apt-get could not install ${names[*]}." 'Check the network, fix the error above, and run the command again.'
  }
  comm -13 <(echo "$before") <(installed_names) >>"$RECORD/packages"
  mark_automatic
  ! is_package installed hoster-exporter || apt-mark manual hoster-exporter >/dev/null
}

# Succeeds if a version of Node.js, or of its package, is new enough.
is_new_enough() { [[ $1 == [0-9]* ]] && dpkg --compare-versions "$1" ge "$NODE_FLOOR"; }

# Succeeds if the content of a .deb file is installed and configured.
is_current() {
  local name
  name=$(dpkg-deb --field "$1" Package)
  is_package installed "$name" &&
    dpkg-deb --ctrl-tarfile "$1" | tar --extract --to-stdout ./md5sums | cmp -s - "/var/lib/dpkg/info/$name.md5sums"
}

# Succeeds if the program needs the Node.js from its own package: the distribution's is too old, or the package is installed.
needs_node() { is_package installed hoster-exporter-node || ! is_new_enough "$(apt-cache policy nodejs | sed -n 's/ *Candidate: //p')"; }
