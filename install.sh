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
# It installs the .deb files beside it, or else builds them from this folder. See docs/GUIDE.md for what it does and how to do it
# by hand. Without a terminal, variables such as HOSTER_API_URL answer the questions (docs/INSTALL.md). HOSTER_GRAFANA=yes or no
# decides whether to add the dashboards to an existing Grafana.

# Other shells read only this line.
[ -n "${BASH_VERSION:-}" ] || { [ -f "$0" ] && exec bash "$0" "$@"; echo 'Run it in the project folder: sudo ./install.sh' >&2; exit 1; }

set -euo pipefail
shopt -s inherit_errexit
umask 022
# Services on this machine need no proxy.
export no_proxy="127.0.0.1,localhost,${no_proxy:-${NO_PROXY:-}}"

SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]:-/}")" && pwd)
readonly SOURCE
readonly COMMAND=/usr/bin/hoster-exporter
readonly ETC=/etc/hoster-exporter
# Record of installed files, with copies of the files before.
readonly RECORD=/var/lib/hoster-exporter-install
readonly NODE_FLOOR=20.18.1
# On the disk: /tmp is often in memory, which a small machine has too little of.
readonly BUILD=${TMPDIR:-/var/tmp}
readonly CHANNELS='telegram ntfy pushover discord slack mail webhook none'

# Prints the newest package of this name in the folder of this script.
newest() { find "$SOURCE" -maxdepth 1 -name "$1" | sort -V | tail -n 1; }

if [[ ! -f $SOURCE/install.sh || (! -f $SOURCE/packaging/deb.mjs && -z $(newest 'hoster-exporter_*_all.deb')) ]]; then
  echo 'This script needs the whole project folder, or a .deb file beside it. Download it and run there: sudo ./install.sh' >&2
  exit 1
fi

dry=false uninstall=false purge=false overwrite=false ask=false
work='' current_step='' explained=false not_arrived=false kept=() share=$SOURCE
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

# confirm QUESTION [DEFAULT]
confirm() {
  local typed
  is_interactive || return 1
  read -rp "$1 $([[ ${2:-} == yes ]] && echo '[Y/n]' || echo '[y/N]') " typed
  [[ ${typed:-${2:-}} == [yY]* ]]
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
  is_interactive || [[ -f $ETC/setup.yml || -f $RECORD/setup.yml ]] || for name in HOSTER_API_URL HOSTER_API_KEY_FILE HOSTER_CHANNEL; do
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
  local free kind own port unit running=()
  free=$(free_space "$BUILD")
  ((free > 500)) || fail "Only $free MB are free in $BUILD, where the program is built." \
    'Free at least 500 MB, or set TMPDIR to another folder, and run the command again.'
  free=$(free_space /var)
  ((free > 1500)) || fail "Only $free MB are free in /var." 'Free at least 1,500 MB and run the command again.'
  for unit in hoster-exporter prometheus prometheus-alertmanager; do
    kind=${unit#prometheus-} port=9823
    if [[ $kind != hoster-exporter ]]; then
      find_daemon "$kind" "$unit"
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

# is_package STATUS NAME: the status is installed, or config-files for a removed package whose configuration remains.
is_package() { [[ " $(dpkg-query --show --showformat='${db:Status-Status} ' "$2" 2>/dev/null) " == *" $1 "* ]]; }

# Options of apt-get: wait for locks of other programs, and keep changed files of configuration.
readonly APT_OPTIONS=(-y -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Options::=--force-confold --no-install-recommends)

# Updates the lists of packages, once.
update_lists() {
  [[ ! -f $work/apt.log ]] || return 0
  ! grep -qs ":$(stat -c %i /var/lib/dpkg/lock-frontend 2>/dev/null || echo none) " /proc/locks ||
    say 'Another program is installing packages, such as the upgrades of a new machine. Waiting up to five minutes …'
  # Descriptions of packages are not needed.
  apt-get update -qq -o DPkg::Lock::Timeout=300 -o Acquire::Languages=none -o APT::Get::List-Cleanup=0 &>"$work/apt.log" || true
}

# install_packages NAME|FILE...: installs missing packages. They are marked as automatic, so that a later `apt-get install` by the
# owner is detected. hoster-exporter suggests them, so that apt-get does not remove them as unused as long as it is there.
install_packages() {
  local missing=() name
  for name in "$@"; do
    is_package installed "${name%%=*}" || missing+=("$name")
  done
  ((${#missing[@]})) || return 0
  name=$(printf '%s\n' "${missing[@]##*/}" | sed 's/[_=].*//' | paste -s -d ' ')
  $dry && { say "  would install these packages: $name" && return; }
  say "Installing $name …"
  update_lists
  # After a power cut.
  [[ -z $(ls /var/lib/dpkg/updates) ]] || dpkg --force-confold --configure -a &>>"$work/apt.log" || true
  # In its own session, because Ctrl-C would leave packages half installed. The script exits afterwards.
  DEBIAN_FRONTEND=noninteractive setsid --wait apt-get install "${APT_OPTIONS[@]}" --reinstall --allow-downgrades "${missing[@]}" \
    &>>"$work/apt.log" 9>&- || {
    tail -n 5 "$work/apt.log" >&2
    fail "apt-get could not install $name." 'Check the network, fix the error above, and run the command again.'
  }
  # shellcheck disable=SC2086 # a list
  apt-mark auto $name &>/dev/null
  ! is_package installed hoster-exporter || apt-mark manual hoster-exporter >/dev/null
}

# ---------------------------------------------------------------------------------------------------------------------
# The package
# ---------------------------------------------------------------------------------------------------------------------

# Succeeds for a version of Node.js, or of its package, that is new enough.
is_new_enough() { [[ $1 == [0-9]* ]] && dpkg --compare-versions "$1" ge "$NODE_FLOOR"; }

# Succeeds if the content of a .deb file is installed and configured.
is_current() {
  local name=${1##*/}
  is_package installed "${name%%_*}" &&
    dpkg-deb --ctrl-tarfile "$1" | tar --extract --to-stdout ./md5sums | cmp -s - "/var/lib/dpkg/info/${name%%_*}.md5sums"
}

# Says what an upgrade loses, before it.
check_state() {
  local version
  version=$(head -c 200 /var/lib/private/hoster-exporter/state.json 2>/dev/null | grep -o '"version":[0-9]*' | cut -d : -f 2 || true)
  [[ -n $version && $version != "$(dpkg-deb --field "$deb" State-Version)" ]] || return 0
  say 'The new version cannot read the state of the present one. Maintenance, open incidents and learned thresholds start anew;' \
    'months, settings and key stay. The old state is kept beside the new one.'
  ! is_interactive || $overwrite || confirm 'Upgrade anyway?' yes || fail 'The exporter was not changed.'
}

# Succeeds if the Node.js of the distribution is too old.
is_old() { ! is_new_enough "$(apt-cache policy nodejs | sed -n 's/ *Candidate: //p')"; }

# Builds the package if it is not beside this script, and finds a Node.js for its program, so that the questions come first.
get_package() {
  local fingerprint node unpacked=$work/node/usr/lib/hoster-exporter-node/node
  if [[ -z $deb ]]; then
    step 'hoster-exporter'
    $dry && { say "  would build it in a copy of $SOURCE" && return; }
    fingerprint=$(tar --create --sort name --mtime @0 --owner 0 --group 0 --exclude ./node_modules --exclude ./.build --exclude ./.git \
      --exclude ./secrets --exclude ./dist --directory "$SOURCE" . | sha256sum | cut -d ' ' -f 1)
    ! is_package installed hoster-exporter || [[ $(dpkg-query --show --showformat='${Built-From}' hoster-exporter) != "$fingerprint" ]] || { $COMMAND --version && return; }
    update_lists
    ! is_old || [[ $(dpkg --print-architecture) =~ ^a(md|rm)64$ ]] || fail "There is no Node.js $NODE_FLOOR or newer for this system." \
      'Install a 64-bit system (amd64 or arm64). Nothing was changed.'
    install_packages curl ca-certificates "$(is_old && echo libatomic1 || echo nodejs)"
    say 'Building …'
    "$SOURCE/packaging/build-deb.sh" "$work/build" "$fingerprint" "$(is_old && echo true)" || { explained=true && exit 1; }
    deb=$(find "$work/build" -maxdepth 1 -name 'hoster-exporter_*_all.deb')
    node_deb=$(find "$work/build" -maxdepth 1 -name 'hoster-exporter-node_*.deb')
    # Before the questions, so that a run that is interrupted there builds nothing again.
    check_state
    install_package
    return
  fi
  $dry && return
  check_state
  for node in /usr/bin/node /usr/lib/hoster-exporter-node/node "$unpacked"; do
    [[ $node != "$unpacked" || -z $node_deb ]] || { dpkg-deb --extract "$node_deb" "$work/node" && install_packages libatomic1; }
    exporter=("$node" "$work/deb/usr/share/hoster-exporter/dist/main.js")
    ! is_new_enough "$("$node" --version 2>/dev/null | tr -d v)" || return 0
  done
  install_package
}

# Installs what is not installed yet.
install_package() {
  local files=() file
  exporter=("$COMMAND")
  $dry && { say "  would install ${deb:-the package}" && return; }
  if [[ -n $deb ]] && ! is_current "$deb"; then
    [[ $current_step == hoster-exporter ]] || step 'hoster-exporter'
    update_lists
    if ! is_old; then
      node_deb=''
    elif [[ -z $node_deb ]] && ! is_package installed hoster-exporter-node; then
      fail "The Node.js of this system is older than $NODE_FLOOR." \
        "Put the file hoster-exporter-node_…_$(dpkg --print-architecture).deb of the same release beside this script, and run it again."
    fi
    for file in $deb $node_deb; do is_current "$file" || files+=("$file"); done
  fi
  install_packages curl "${files[@]}"
  ((${#files[@]} == 0)) || $COMMAND --version || fail 'The installed program does not start (see above).' 'Please report this with the lines above.'
}

# ---------------------------------------------------------------------------------------------------------------------
# The answers: `hoster-exporter setup` asks, checks and writes the files into its own folder.
# ---------------------------------------------------------------------------------------------------------------------

# answer NAME [FILE]: prints an answer of this run, or of an earlier one.
answer() { sed -n "s/^$1: //p" "${2:-$work/setup/setup.yml}" 2>/dev/null || true; }

# Prints a variable of the service, of its file or of its unit.
variable() {
  { grep -s "^$1=" $ETC/environment || systemctl show --property Environment --value hoster-exporter 2>/dev/null | tr ' ' '\n' | grep "^$1=" || true; } |
    tail -n 1 | cut -d = -f 2-
}

# place FILE PATH MODE [GROUP]: copies a file that only setup changes, unless it is the same.
place() { cmp -s "$1" "$2" || install -D -m "$3" -g "${4:-root}" "$1" "$2"; }

ask_questions() {
  step 'Your answers'
  local folder=$work/setup file name options=() settings=()
  configuration=$(variable HOSTER_CONFIG_FILE)
  [[ -n $configuration ]] || configuration=$ETC/hoster-exporter.yml
  mkdir -p "$folder"/{exporter,alertmanager/secrets}
  if $dry; then
    channel=${HOSTER_CHANNEL:-none}
    say '  would ask for your account and where to send alerts, and check the answers'
    printf '  would write %s\n' "$configuration" $ETC/{key,setup.yml}
    cp "$share/config/alertmanager/alertmanager.${channel,,}.yml" "$work/alertmanager.yml"
    return
  fi
  [[ ! -f $configuration ]] || cp "$configuration" "$folder/exporter/hoster-exporter.yml"
  [[ ! -f $ETC/key ]] || cp $ETC/key "$folder/exporter/key"
  [[ ! -f $ETC/setup.yml ]] || cp $ETC/setup.yml "$folder/setup.yml"
  name=$(answer secret_file)
  for file in $ETC/channel-secret "/etc/alertmanager/secrets/$name"; do
    [[ -z $name || ! -f $file ]] || cp "$file" "$folder/alertmanager/secrets/$name"
  done
  $ask || options=(--keep-answers)
  # A variable of this run wins over that of the service.
  [[ ! -f $ETC/environment ]] || mapfile -t settings < <(grep -E '^(HOSTER_|https_proxy=)' $ETC/environment | grep -vE "^($(compgen -e | paste -s -d '|'))=")
  env "${settings[@]}" "${exporter[@]}" setup --directory="$folder" --key-file=/run/credentials/hoster-exporter.service/key \
    --secrets=/etc/alertmanager/secrets --templates=/etc/prometheus/templates --alertmanager="$(alertmanager_version)" "${options[@]}" ||
    fail 'The answers above are required.' 'Nothing was started. Run the command again.'
  channel=$(answer channel)
  earlier_chats=$(answer chats $ETC/setup.yml)
  secret=$(cat "$folder/alertmanager/secrets/$(answer secret_file)" 2>/dev/null || true)
  cp "$folder/alertmanager/alertmanager.yml" "$work/alertmanager.yml"
  # At once, so that the next run after an interruption does not ask again.
  put_configuration
  place "$folder/setup.yml" $ETC/setup.yml 644
  if [[ -n $secret ]]; then place "$folder/alertmanager/secrets/$(answer secret_file)" $ETC/channel-secret 600; else rm -f $ETC/channel-secret; fi
}

# put_secret GROUP: installs the secret of the channel for Alertmanager.
put_secret() {
  local path
  path=/etc/alertmanager/secrets/$(answer secret_file)
  make_folder "${path%/*}"
  # Existing folders are kept unchanged.
  { grep -sxF -e "${path%/*}" -e /etc/alertmanager "$RECORD/folders" || true; } | sort -u | xargs -r install -d -m 750 -g "$1"
  [[ ! -f $path ]] || record "$(sum "$path")" "$path"
  (umask 077 && printf '%s' "$secret" >"$work/secret")
  put "$work/secret" "$path" 640 "root:$1"
}

# Succeeds if the API or the channel responds only through a proxy.
is_proxied() { [[ $(answer is_proxied) == true ]] || grep -qs '^ *proxy_from_environment: true' "$work/setup/exporter/hoster-exporter.yml"; }

# Installs the account and the settings of the service. Settings that were added by hand are kept.
put_configuration() {
  place "$work/setup/exporter/hoster-exporter.yml" "$configuration" 644
  [[ ! -f $work/setup/exporter/key ]] || place "$work/setup/exporter/key" $ETC/key 600
  { [[ ! -f $ETC/environment ]] || cat $ETC/environment; } >"$work/environment"
  # Variables win over the file that has the answers.
  sed -i -E 's/^HOSTER_(API_URL|API_KEY_FILE|API_KEY|CURRENCY|TIME_ZONE)=/# In hoster-exporter.yml: &/' "$work/environment"
  if is_proxied && [[ -n ${https_proxy:-${HTTPS_PROXY:-}} ]]; then
    sed -i '/^https_proxy=/d' "$work/environment"
    printf 'https_proxy=%s\n' "${https_proxy:-$HTTPS_PROXY}" >>"$work/environment"
  fi
  # The address of a proxy may contain a password.
  [[ ! -s $work/environment ]] || place "$work/environment" $ETC/environment "$(grep -q '^https_proxy=' "$work/environment" && echo 600 || echo 644)"
}

start_exporter() {
  step 'The service hoster-exporter'
  start_service hoster-exporter key:$ETC/key "$configuration" $ETC/{key,environment}
  wait_for hoster-exporter is_exporter_ready
  local name
  $dry || for name in HOSTER_{API_URL,TIME_ZONE}; do
    [[ -z $(variable "$name") ]] || say "$name in the unit (systemctl cat hoster-exporter) wins over your answer. Remove it there to use the answer."
  done
}

# start_service UNIT CREDENTIAL FILE...: starts a service of the package. Restores its credential if a drop-in for all units
# removes it, as in LXC containers.
start_service() {
  local taker='' drop_in=/etc/systemd/system/$1.service.d/zzzz-hoster-credential.conf
  $dry || taker=$(systemctl cat "$1" | awk '/^# \// { file = $2 } /^LoadCredential=$/ { taker = file } /^LoadCredential=./ { taker = "" } END { print taker }')
  if [[ -n $taker ]]; then
    say "$taker removes the credentials of all units, so a drop-in restores that of $1."
    printf '[Service]\nLoadCredential=%s\n' "$2" >"$work/drop-in"
    put "$work/drop-in" "$drop_in"
    run systemctl daemon-reload
  fi
  restart "$1" /var/lib/dpkg/info/hoster-exporter.list "$drop_in" "${@:3}"
}

# restart UNIT FILE...: starts it, now and after each reboot, and restarts it if a file has changed since it started, in this run
# or in an earlier one that was interrupted.
restart() {
  run systemctl enable --quiet "$1"
  if ! systemctl is-active --quiet "$1" || is_older "$(started_at "$1")" "${@:2}"; then run systemctl restart "$1"; fi
}

# Prints when a service started, in nanoseconds.
started_at() {
  date --date "$(systemctl show --timestamp=us+utc --property ExecMainStartTimestamp --value "$1" 2>/dev/null)" +%s%N 2>/dev/null || true
}

# is_older NANOSECONDS FILE...: succeeds if a file has changed since.
is_older() {
  local file
  for file in "${@:2}"; do [[ ! -e $file ]] || (($(stat -c %.9Z "$file" | tr -d .) <= ${1:-0})) || return 0; done
  return 1
}

responds() { curl -fsk --max-time 5 -o /dev/null "$@" 2>/dev/null; }

# Over its socket too, as a web configuration may require a login.
is_exporter_ready() { responds http://127.0.0.1:9823/-/ready || responds --unix-socket /run/hoster-exporter/web.sock http://localhost/-/ready; }

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

# ---------------------------------------------------------------------------------------------------------------------
# Prometheus and Alertmanager
# ---------------------------------------------------------------------------------------------------------------------

# set_arguments FILE ARGUMENTS: sets the arguments of a daemon of Debian, before its package starts it.
set_arguments() {
  { printf 'ARGS="%s"\n' "$2" && { grep -sv '^ARGS=' "$1" || true; }; } >"$work/arguments"
  put "$work/arguments" "$1"
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
  local folder=/etc/prometheus rules size file files=()
  if [[ -v process[prometheus] ]]; then
    file=$(planned_file rules)
    [[ -z $file ]] || { put "$share/config/prometheus/hoster.rules.yml" "$file" && files+=("$file"); }
    file=$(planned_file job)
    [[ -z $file ]] || { put "$work/setup/join/job.yml" "$file" && files+=("$file"); }
    join_daemon prometheus "${files[@]}"
    return
  fi
  choose_size
  set_arguments /etc/default/prometheus \
    "--web.listen-address=$(host_of prometheus) --storage.tsdb.retention.time=400d --storage.tsdb.retention.size=${size}MB"
  install_packages prometheus
  sed -e 's/exporter:9823/127.0.0.1:9823/' -e "/alertmanager:9093/{s//$(host_of alertmanager)/; r $work/setup/join/destination" -e '}' \
    "$share/config/prometheus/prometheus.yml" >"$work/prometheus.yml"
  for rules in "$share"/config/prometheus/*.rules.yml; do put "$rules" "$folder/$(basename "$rules")"; done
  put "$work/prometheus.yml" $folder/prometheus.yml
  restart prometheus /etc/default/prometheus $folder/prometheus.yml $folder/*.rules.yml
  wait_for prometheus responds "${api[prometheus]}/-/ready"
}

start_alertmanager() {
  step 'Alertmanager'
  local user=prometheus file routes=/etc/prometheus/alertmanager.yml templates=()
  if [[ -v process[alertmanager] ]]; then
    user=$(stat -c %G "/proc/${process[alertmanager]}")
  else
    set_arguments /etc/default/prometheus-alertmanager "--web.listen-address=$(host_of alertmanager) --cluster.listen-address="
    install_packages prometheus-alertmanager
  fi
  [[ -z $secret ]] || put_secret "$user"
  for file in "$share"/config/alertmanager/templates/*.tmpl; do
    templates+=("/etc/prometheus/templates/$(basename "$file")")
    put "$file" "${templates[-1]}"
  done
  if [[ -v process[alertmanager] ]]; then
    join_daemon alertmanager "${templates[@]}"
    return
  fi
  put "$work/alertmanager.yml" $routes 640 root:prometheus
  $dry || amtool check-config $routes >"$work/amtool.log" 2>&1 || {
    cat "$work/amtool.log" >&2
    [[ " ${kept[*]} " != *" $routes "* ]] ||
      fail 'Alertmanager refuses this file, which you changed.' 'Correct it, or run the command again with --yes.'
    fail 'Alertmanager refuses its configuration.' 'Please report this with the lines above.'
  }
  restart prometheus-alertmanager /etc/default/prometheus-alertmanager $routes "${templates[@]}"
  wait_for prometheus-alertmanager responds "${api[alertmanager]}/-/ready"
}

# Starts the chat service (docs/CHAT.md), or stops it. Settings that were changed by hand are kept.
start_chat() {
  local unit=hoster-exporter-telegram chats options
  if [[ $(answer bot_answers) != true ]]; then
    [[ -f $ETC/telegram-token ]] || return 0
    run rm $ETC/telegram-token
    run systemctl disable --quiet --now $unit
    say 'The Telegram bot no longer answers commands.'
    return
  fi
  step "The service $unit"
  chats=$(answer chats)
  (umask 077 && printf '%s' "$secret" >"$work/token")
  place "$work/token" $ETC/telegram-token 600
  # Tests use another address than that of Telegram.
  options=${HOSTER_TELEGRAM_API:+--bot-api-url=$HOSTER_TELEGRAM_API}
  ! is_proxied || options+=' --client.proxy-from-environment'
  printf 'TELEGRAM_CHATS=%s\nTELEGRAM_OPTIONS=%s\n' "$chats" "${options# }" >"$work/telegram"
  [[ ! -f $ETC/telegram ]] || sed "s|^TELEGRAM_CHATS=$earlier_chats$|TELEGRAM_CHATS=$chats|" $ETC/telegram >"$work/telegram"
  place "$work/telegram" $ETC/telegram 644
  start_service $unit token:$ETC/telegram-token $ETC/{telegram,telegram-token,environment}
}

# Prints the version of Alertmanager, or if unknown the oldest one, whose files the others can read.
alertmanager_version() {
  local program=prometheus-alertmanager version
  [[ ! -v process[alertmanager] ]] || program=/proc/${process[alertmanager]}/exe
  version=$({ "$program" --version 2>&1 || true; } | sed -n 's/.*version[= ]*\([0-9.]*\).*/\1/p' | head -n 1)
  [[ -n $version ]] || version=$(apt-cache policy prometheus-alertmanager | sed -n 's/ *Candidate: \([0-9.]*\).*/\1/p')
  [[ -n $version ]] || case ${VERSION_ID:-} in 13) version=0.28.0 ;; 24.04) version=0.26.0 ;; esac
  echo "${version:-0.25.0}"
}

# Sends a test alert through Alertmanager.
test_message() {
  local reason
  [[ $channel != none ]] || return 0
  step 'The test alert'
  $dry && { say '  would send a test alert'; return; }
  [[ ! -v process[alertmanager] || $(planned alertmanager is_joined) == true ]] || return 0
  [[ -z $(planned alertmanager locked) ]] || { say 'No test alert was sent, because your Alertmanager requires a password.' && return; }
  if $COMMAND setup --test="${api[alertmanager]}" --directory="$work/setup"; then
    ! is_interactive || confirm 'Did it arrive?' yes || not_arrived=true
    return
  fi
  reason=$(journalctl -u prometheus-alertmanager -u alertmanager -n 30 --no-pager 2>/dev/null | grep -o 'err=.*' | tail -n 1 || true)
  say "${reason//"${secret:-nothing}"/…}" >&2
  fail 'The test alert failed (see the response above). Everything is running. Run it with --ask to correct the channel.'
}

# ---------------------------------------------------------------------------------------------------------------------
# Removal
# ---------------------------------------------------------------------------------------------------------------------

# Prints the packages that apt-get would remove. What hoster-exporter suggests is needed, whatever the settings of apt-get.
removed_by() {
  LC_ALL=C apt-get --simulate -o APT::AutoRemove::SuggestsImportant=true "$@" | sed -n 's/^\(Remv\|Purg\) \([^ :]*\).*/\2/p' | sort -u
}

remove() {
  [[ $EUID == 0 ]] || fail 'This needs root.' "Run: sudo $SOURCE/install.sh $*"
  if ! is_package installed hoster-exporter && ! is_package config-files hoster-exporter; then
    # A run that was interrupted at its questions has kept the answers.
    if $purge && ! $dry && [[ ! -d $RECORD && -f $ETC/key ]]; then
      rm -f $ETC/{hoster-exporter.yml,key,environment,setup.yml,channel-secret}
      rmdir --ignore-fail-on-non-empty $ETC
      say 'The answers of an interrupted run were removed. Nothing else is installed.'
      return
    fi
    fail 'The package hoster-exporter is not installed.' 'An earlier version has no package. Upgrade it first: run this script without options.'
  fi
  step 'Uninstalling'
  local name going='' staying='' suggested
  if is_package installed hoster-exporter; then
    # What nothing else needs afterwards.
    going=$(removed_by autoremove hoster-exporter)
    going=$(comm -13 <(removed_by autoremove) - <<<"$going")
    say "  removing the packages: ${going//$'\n'/ }"
    suggested=$(dpkg-query --show --showformat='${Suggests}' hoster-exporter)
    for name in ${suggested//,/}; do
      ! is_package installed "$name" || is_going "$name" || staying+=" $name"
    done
    [[ -z $staying ]] || say "  keeping the packages:$staying, which you installed too or other packages need or recommend"
  fi
  if $dry; then
    sed 's/^[^ ]* /  would remove, restore or keep /' "$RECORD/files" 2>/dev/null || true
    say 'Nothing was changed.'
    return
  fi
  for name in prometheus prometheus-alertmanager grafana; do
    ! is_going $name || systemctl disable --quiet --now "${name/%grafana/grafana-server}" 2>/dev/null || true
  done
  # Here too, so that its lines are on the terminal.
  "$share/packaging/deb/leave" "$($purge && echo purge)"
  make_record
  printf '%s\n' "$going" >>"$RECORD/removed"
  # Those that an earlier run has removed still have their configuration.
  ! $purge || for name in hoster-exporter $(cat "$RECORD/removed"); do
    ! is_package config-files "$name" || going+=" $name"
  done
  # shellcheck disable=SC2086 # a list
  DEBIAN_FRONTEND=noninteractive apt-get "$($purge && echo purge || echo remove)" -y -qq $going &>"$work/apt.log" || {
    tail -n 5 "$work/apt.log" >&2
    fail 'apt-get could not remove the packages.' 'Fix the error above and run the command again.'
  }
  if ! $purge; then
    say 'Uninstalled. Data, key and secrets are kept; --uninstall --purge removes them.'
  elif [[ -d $ETC ]]; then
    find $ETC ! -type d -printf '  keeping %p, which this script did not write\n'
    say 'Everything else was removed.'
  else
    say 'Everything was removed.'
  fi
}

is_going() { grep -qxF "$1" <<<"$going"; }

finish() {
  local code=$?
  # Nothing in here may end it early, such as a terminal that is gone. First it cleans up, then it speaks.
  set +e
  # Without a terminal, nothing is written before all answers are right.
  [[ ! -f $work/setup/exporter/key || -e $ETC/key ]] || put_configuration
  [[ -z $work ]] || rm -rf "$work"
  if ((code == 130)); then
    printf '\nInterrupted. What was done before stays: run the same command again to go on.\n' >&2
  elif ((code > 0)) && ! $explained && [[ -n $current_step ]]; then
    printf '\nThe step "%s" ended early, as the lines above say.\n' "$current_step" >&2
    printf 'What was done before stays. Repair it, and run the same command again to go on.\n' >&2
  fi
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
  trap 'exit 130' INT TERM HUP PIPE
  if [[ $EUID == 0 ]]; then
    exec 9>/run/hoster-exporter-install.lock
    flock --nonblock 9 || fail 'This script is already running in another terminal.' 'Wait until it has finished.'
    # A killed run leaves secrets.
    rm -rf "$BUILD"/hoster-exporter-install.*
  fi
  work=$(mktemp --directory --tmpdir="$BUILD" hoster-exporter-install.XXXXXX)
  local deb node_deb exporter=("$COMMAND") configuration channel secret='' earlier_chats='' routes graphs=''
  deb=$(newest 'hoster-exporter_*_all.deb')
  node_deb=$(newest "hoster-exporter-node_*_$(dpkg --print-architecture).deb")
  [[ -z $deb ]] || { dpkg-deb --extract "$deb" "$work/deb" && share=$work/deb/usr/share/hoster-exporter; }
  # shellcheck source=packaging/deb/files.sh
  . "$share/packaging/deb/files.sh"
  # shellcheck source=packaging/deb/join.sh
  . "$share/packaging/deb/join.sh"
  # shellcheck source=packaging/deb/grafana.sh
  . "$share/packaging/deb/grafana.sh"
  if $uninstall; then
    remove "$@"
    return
  fi
  examine "$@"
  get_package
  ask_questions
  install_package
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
  keep_packaged
  step 'Done'
  routes=$(planned alertmanager configuration)
  cat <<TEXT
Your phones:       http://127.0.0.1:9823     (from elsewhere: ssh -L 9823:127.0.0.1:9823 this-machine)
Alerts:            ${api[alertmanager]}
Queries:           ${api[prometheus]}

You get an alert about 5 minutes after the last heartbeat of a sold phone. Everything starts again after a reboot.
Settings: $configuration. Routes of alerts and quiet hours: ${routes:-/etc/prometheus/alertmanager.yml}.
Next: docs/GUIDE.md explains what to adapt, and how to set up a dead man's switch.
TEXT
  ((${#kept[@]} == 0)) || {
    printf '\nYour own files are kept. Compare them with these new versions:\n'
    printf '  %s.hoster-new\n' "${kept[@]}"
  }
  join check || { explained=true && exit 1; }
  ! $not_arrived || fail 'The test alert was sent, but did not arrive.' \
    'Check the right chat or folder, then run it with --ask to change your answers.'
}

main "$@"
