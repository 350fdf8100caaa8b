#!/usr/bin/env bash
# Installs hoster-exporter, Prometheus and Alertmanager on this machine, all listening on 127.0.0.1, and sends a test
# alert. For Debian 12 and 13 and Ubuntu 24.04 with systemd.
#
#   sudo ./install.sh                       installs or upgrades, and asks only new questions
#   sudo ./install.sh --ask                 asks all questions again, with the last answers as defaults
#   sudo ./install.sh --yes                 overwrites or extends files that you changed (a copy is kept)
#   ./install.sh --dry-run                  shows the steps and changes nothing
#   sudo ./install.sh --uninstall           uninstalls, but keeps data, key and secrets
#   sudo ./install.sh --uninstall --purge   uninstalls and removes them too
#
# It installs the .deb files next to it, after checking them against SHA256SUMS if that is there too. Without such files, it
# builds them from this folder. See docs/GUIDE.md for what it does and how to do it
# by hand. Without a terminal, variables such as HOSTER_API_URL answer the questions (docs/INSTALL.md). A Prometheus, an
# Alertmanager or a Grafana that somebody else installed is not changed: it prints the lines for them, and checks them the next
# time it runs.

# Other shells read only this line.
[ -n "${BASH_VERSION:-}" ] || { [ -f "$0" ] && exec bash -- "$0" "$@"; echo 'Run it in the project folder: sudo ./install.sh' >&2; exit 1; }

set -euo pipefail
shopt -s inherit_errexit
umask 022
# Output that is parsed below is in English, with decimal points, whatever the language of the session.
export LC_ALL=C
# Services on this machine need no proxy.
export no_proxy="127.0.0.1,localhost,${no_proxy:-${NO_PROXY:-}}"

SOURCE=$(realpath --no-symlinks -- "$(dirname -- "${BASH_SOURCE[0]:-/}")")
readonly SOURCE
readonly COMMAND=/usr/bin/hoster-exporter
readonly ETC=/etc/hoster-exporter
# Record of installed files, with copies of the earlier ones.
readonly RECORD=/var/lib/hoster-exporter-install
readonly NODE_FLOOR=20.18.1
# On disk: /tmp is often in memory, and a small machine has too little of that.
readonly BUILD=${TMPDIR:-/var/tmp}
readonly CHANNELS='telegram ntfy pushover discord slack mail webhook none'

# Prints the newest package with this name in this script's folder.
newest() { find "$SOURCE" -maxdepth 1 -name "$1" | sort -V | tail -n 1; }

# The same under a name that apt-get can read, whatever the folder is called.
take_newest() {
  local found
  found=$(newest "$1")
  [[ -z $found ]] || { ln -s "$found" "$work/${found##*/}" && echo "$work/${found##*/}"; }
}

# check_sums FILE...: refuses a file that differs from SHA256SUMS next to this script, such as an incomplete download.
check_sums() {
  local file
  [[ -f $SOURCE/SHA256SUMS ]] || return 0
  for file in "$@"; do
    [[ -z $file ]] || awk -v "name=${file##*/}" '{ sub(/^[*]?([.]\/)?/, "", $2) } $2 == name { print $1 "  " name }' "$SOURCE/SHA256SUMS" |
      (cd "${file%/*}" && sha256sum --check --status) 2>/dev/null ||
      fail "${file##*/} does not match SHA256SUMS next to it, and is not used." 'Download both again from the same release.'
  done
}

if [[ ! -f $SOURCE/install.sh || (! -f $SOURCE/packaging/deb.mjs && -z $(newest 'hoster-exporter_*_all.deb')) ]]; then
  echo 'This script needs the whole project folder, or a .deb file next to it. Download it and run there: sudo ./install.sh' >&2
  exit 1
fi

dry=false uninstall=false purge=false overwrite=false ask=false
work='' current_step='' explained=false not_arrived=false why='' is_joined=true kept=() changed=() share=$SOURCE
# Prometheus and Alertmanager: the address, and the process if it already exists.
declare -A api=([prometheus]=http://127.0.0.1:9090 [alertmanager]=http://127.0.0.1:9093) process=()

help() { sed -n '2,/^$/{s/^# \{0,1\}//; p}' "${BASH_SOURCE[0]}"; }
say() { printf '%s\n' "$*"; }
step() { current_step=$* && printf '\n== %s\n' "$current_step"; }
fail() {
  explained=true
  printf '\n%s\n' "$1" >&2
  shift
  printf '%s\n' "$@" >&2
  exit 1
}

# Runs a command that changes something, or prints it. Never with secrets.
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
  # "Yes" in several languages, as `hoster-exporter setup` accepts it.
  case "$(tr '[:upper:]' '[:lower:]' <<<"${typed:-${2:-}}")" in
    y* | да | Да | д | так | Так | т | ja | j | sí | si | s | oui | o | ok | tak | sim | evet | da) ;;
    *) return 1 ;;
  esac
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
  is_interactive || [[ -f $ETC/setup.yml ]] || for name in HOSTER_API_URL HOSTER_API_KEY_FILE HOSTER_CHANNEL; do
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

# ---------------------------------------------------------------------------------------------------------------------
# The package
# ---------------------------------------------------------------------------------------------------------------------

# Says what an upgrade will lose.
check_state() {
  local version
  version=$(head -c 200 /var/lib/private/hoster-exporter/state.json 2>/dev/null | grep -o '"version":[0-9]*' | cut -d : -f 2 || true)
  [[ -n $version && $version != "$(dpkg-deb --fsys-tarfile "$deb" | tar --extract --to-stdout ./usr/share/hoster-exporter/state-version)" ]] || return 0
  say 'The new version cannot read the current state. Maintenance, open incidents and learned thresholds will be lost;' \
    'months, settings and key stay. The old state is kept next to the new one.'
  $dry || ! is_interactive || $overwrite || confirm 'Upgrade anyway?' yes || fail 'The exporter was not changed.'
}

# Builds the package if it is not next to this script, and finds a Node.js for the program, before the questions.
get_package() {
  local fingerprint node unpacked=$work/node/usr/lib/hoster-exporter-node/node
  exporter=()
  [[ ! -x $COMMAND ]] || exporter=("$COMMAND")
  if [[ -z $deb ]]; then
    step 'hoster-exporter'
    fingerprint=$(tar --create --sort name --mtime @0 --owner 0 --group 0 --exclude ./node_modules --exclude ./.build --exclude ./.git \
      --exclude ./secrets --exclude ./dist --directory "$SOURCE" . | sha256sum | cut -d ' ' -f 1)
    ! is_package installed hoster-exporter || ! grep -qsx "$fingerprint" /usr/share/hoster-exporter/built-from || { $COMMAND --version && return; }
    if $dry; then
      say "  would build it in a copy of $SOURCE, and install it"
      changed+=(/var/lib/dpkg/info/hoster-exporter.md5sums)
      return
    fi
    update_lists
    ! needs_node || [[ $(dpkg --print-architecture) =~ ^a(md|rm)64$ ]] || fail "There is no Node.js $NODE_FLOOR or newer for this system." \
      'Install a 64-bit system (amd64 or arm64). Nothing was changed.'
    install_packages curl ca-certificates "$(needs_node && echo libatomic1 || echo nodejs)"
    say 'Building …'
    # With bash, since the folder may be mounted noexec or have lost its permissions.
    bash "$SOURCE/packaging/build-deb.sh" "$work/build" "$fingerprint" "$(needs_node && echo true)" || {
      (($? != 3)) || { explained=true && exit 1; }
      fail 'The package could not be built (see above).' 'Fix it and run the command again.'
    }
    deb=$(find "$work/build" -maxdepth 1 -name 'hoster-exporter_*_all.deb')
    node_deb=$(find "$work/build" -maxdepth 1 -name 'hoster-exporter-node_*.deb')
    # Before the questions, so that a run interrupted there does not have to build again.
    check_state
    install_package
    return
  fi
  is_current "$deb" || check_state
  for node in /usr/bin/node /usr/lib/hoster-exporter-node/node "$unpacked"; do
    [[ $node != "$unpacked" || -z $node_deb ]] || $dry || { dpkg-deb --extract "$node_deb" "$work/node" && install_packages libatomic1; }
    exporter=("$node" "$work/deb/usr/share/hoster-exporter/dist/main.js")
    ! is_new_enough "$("$node" --version 2>/dev/null | tr -d v)" || return 0
  done
  exporter=()
  $dry || install_package
}

# Installs what is not yet installed.
install_package() {
  local files=()
  if [[ -n $deb ]]; then
    is_current "$deb" || { files+=("$deb") && { $dry || update_lists; }; }
    if needs_node && [[ -n $node_deb ]]; then
      is_current "$node_deb" || files+=("$node_deb")
    elif needs_node && ! is_package installed hoster-exporter-node; then
      fail "The Node.js of this system is older than $NODE_FLOOR." \
        "Put the file hoster-exporter-node_…_$(dpkg --print-architecture).deb of the same release next to this script, and run it again."
    fi
    ((${#files[@]} == 0)) || [[ $current_step == hoster-exporter ]] || step 'hoster-exporter'
  fi
  install_packages curl "${files[@]}"
  $dry && return
  exporter=("$COMMAND")
  ((${#files[@]} == 0)) || $COMMAND --version || fail 'The installed program does not start (see above).' 'Please report this with the lines above.'
}

# ---------------------------------------------------------------------------------------------------------------------
# The answers: `hoster-exporter setup` asks, checks and writes the files into its own folder.
# ---------------------------------------------------------------------------------------------------------------------

# answer NAME [FILE]: prints an answer from this run, or from an earlier one.
answer() { sed -n "s/^$1: //p" "${2:-$work/setup/setup.yml}" 2>/dev/null || true; }

# Prints a variable of the service, from its file or its unit.
variable() {
  { grep -s "^$1=" $ETC/environment || systemctl show --property Environment --value hoster-exporter 2>/dev/null | tr ' ' '\n' | grep "^$1=" || true; } |
    tail -n 1 | cut -d = -f 2-
}

# translated FILE: a rules or template file in the language of the installation, or in English.
translated() {
  local language file
  language=$(answer language "$work/setup/exporter/hoster-exporter.yml")
  file=${1%/*}/$language/${1##*/}
  [[ $language =~ ^[a-z]{2}$ && -f $file ]] || file=$1
  echo "$file"
}

# place FILE PATH MODE: copies a file that only setup changes, unless it is the same.
place() {
  ! cmp -s "$1" "$2" || return 0
  if $dry; then
    would_write "$2"
  else
    outdate "$2"
    install -D -m "$3" "$1" "$2"
  fi
}

# Asks, checks, and writes the answers to a folder that outlives this run, so that the next run asks only what is left.
ask_questions() {
  step 'Your answers'
  local folder=$ETC/.answers file name code=0 options=() settings=() secrets=/etc/alertmanager/secrets templates=/etc/prometheus/templates
  configuration=$(variable HOSTER_CONFIG_FILE)
  [[ -n $configuration ]] || configuration=$ETC/hoster-exporter.yml
  [[ ! -v process[alertmanager] ]] || { secrets=$ETC/join/secrets && templates=$ETC/join/templates; }
  $dry && folder=$work/setup
  # A configuration without its own key is of no use.
  [[ ! -f $ETC/key ]] || rm -rf "$folder"
  if [[ ! -d $folder ]]; then
    $dry || mkdir -p $ETC
    (umask 077 && mkdir -p "$folder"/{exporter,alertmanager/secrets})
    [[ ! -f $configuration ]] || cp "$configuration" "$folder/exporter/hoster-exporter.yml"
    [[ ! -r $ETC/key ]] || cp $ETC/key "$folder/exporter/key"
    [[ ! -f $ETC/setup.yml ]] || cp $ETC/setup.yml "$folder/setup.yml"
    name=$(answer secret_file $ETC/setup.yml)
    for file in $ETC/channel-secret "/etc/alertmanager/secrets/$name"; do
      [[ -z $name || ! -r $file ]] || cp "$file" "$folder/alertmanager/secrets/$name"
    done
    # The last one wins: the first may have been written by hand.
    for file in {/etc/alertmanager/secrets,$ETC}/watchdog-url; do
      [[ ! -r $file ]] || cp "$file" "$folder/alertmanager/secrets/watchdog-url"
    done
  fi
  if $dry && [[ ! -f $folder/exporter/key || ! -f $folder/setup.yml || ${#exporter[@]} == 0 ]]; then
    channel=$(answer channel)
    if [[ -z $channel ]]; then
      say '  would ask for your account and where to send alerts, and check the answers'
      printf '  would write %s\n' "$configuration" $ETC/{key,setup.yml}
      channel=${HOSTER_CHANNEL:-none}
    else
      say '  Your answers are kept. Only root can see which of your files change: run it with sudo.'
    fi
    [[ -f $folder/exporter/key ]] || cp "$share/config/alertmanager/alertmanager.${channel,,}.yml" "$folder/alertmanager/alertmanager.yml"
    return
  fi
  $ask || options=(--keep-answers)
  # A variable of this run wins over the service's.
  [[ ! -f $ETC/environment ]] || mapfile -t settings < <(grep -E '^(HOSTER_|https_proxy=)' $ETC/environment | grep -vE "^($(compgen -e | paste -s -d '|'))=")
  # In its own shell: a proxy may have a password, which must not appear on a command line.
  (
    for file in "${settings[@]}"; do export "${file?}"; done
    ! $dry || exec </dev/null
    exec "${exporter[@]}" setup --directory="$folder" --key-file=/run/credentials/hoster-exporter.service/key \
      --secrets="$secrets" --templates="$templates" --alertmanager="$(alertmanager_version)" "${options[@]}"
  ) || code=$?
  if ((code == 130)); then
    explained=true
    exit 130
  elif ((code != 0)); then
    fail 'The answers above are required.' 'Nothing was started. Run the command again.'
  fi
  if ! $dry; then
    rm -rf "$work/setup"
    cp -a "$folder" "$work/setup"
  fi
  channel=$(answer channel)
  earlier_chats=$(answer chats $ETC/setup.yml)
  secret=$(cat "$work/setup/alertmanager/secrets/$(answer secret_file)" 2>/dev/null || true)
  put_configuration
  place "$work/setup/setup.yml" $ETC/setup.yml 644
  if [[ -n $secret ]]; then
    place "$work/setup/alertmanager/secrets/$(answer secret_file)" $ETC/channel-secret 600
  elif [[ -f $ETC/channel-secret ]]; then
    run rm $ETC/channel-secret
  fi
  if [[ $(answer has_watchdog) == true ]]; then
    place "$work/setup/alertmanager/secrets/watchdog-url" $ETC/watchdog-url 600
  elif [[ -f $ETC/watchdog-url ]]; then
    run rm $ETC/watchdog-url
  fi
  $dry || rm -rf "$folder"
}

# Prints the names of Alertmanager's secrets: the channel's, and the watchdog's address.
secret_names() {
  [[ -z $secret ]] || answer secret_file
  [[ $(answer has_watchdog) != true ]] || echo watchdog-url
}

# put_secrets GROUP: installs the secrets for Alertmanager.
put_secrets() {
  local folder=/etc/alertmanager/secrets name
  [[ ! -v process[alertmanager] ]] || folder=$ETC/join/secrets
  for name in $(secret_names); do
    if ! $dry; then
      make_folder "$folder"
      # Existing folders are kept unchanged.
      { grep -sxF -e "$folder" -e /etc/alertmanager "$RECORD/folders" || true; } | sort -u | xargs -r install -d -m 750 -g "$1"
      [[ ! -f $folder/$name ]] || record "$(sum "$folder/$name")" "$folder/$name"
    fi
    (umask 077 && printf '%s' "$(<"$work/setup/alertmanager/secrets/$name")" >"$work/secret")
    put "$work/secret" "$folder/$name" 640 "root:$1"
  done
}

# Removes secrets that are no longer used.
drop_old_secrets() {
  local path current
  current=" $(secret_names | tr '\n' ' ')"
  while read -r _ path; do
    [[ $path == */secrets/* && $current != *" ${path##*/} "* && -f $path ]] || continue
    run rm "$path"
    $dry || forget "$path"
  done < <(cat "$RECORD/files" 2>/dev/null || true)
}

# Succeeds if the API or the channel responds only through a proxy.
is_proxied() { [[ $(answer is_proxied) == true ]] || grep -qs '^ *proxy_from_environment: true' "$work/setup/exporter/hoster-exporter.yml"; }

# Installs the account and the settings of the service. Settings that were added by hand are kept.
put_configuration() {
  place "$work/setup/exporter/hoster-exporter.yml" "$configuration" 644
  [[ ! -f $work/setup/exporter/key ]] || place "$work/setup/exporter/key" $ETC/key 600
  { [[ ! -f $ETC/environment ]] || cat $ETC/environment; } >"$work/environment"
  # Variables win over the file with the answers.
  sed -i -E 's/^HOSTER_(API_URL|API_KEY_FILE|API_KEY|CURRENCY|TIME_ZONE)=/# In hoster-exporter.yml: &/' "$work/environment"
  if is_proxied && [[ -n ${https_proxy:-${HTTPS_PROXY:-}} ]]; then
    sed -i '/^https_proxy=/d' "$work/environment"
    printf 'https_proxy=%s\n' "${https_proxy:-$HTTPS_PROXY}" >>"$work/environment"
  fi
  # A proxy's address may contain a password.
  [[ ! -s $work/environment ]] || place "$work/environment" $ETC/environment "$(grep -q '^https_proxy=' "$work/environment" && echo 600 || echo 644)"
}

start_exporter() {
  step 'The service hoster-exporter'
  start_service hoster-exporter key:$ETC/key "$configuration" $ETC/{key,environment}
  wait_for hoster-exporter is_exporter_ready
  local name
  $dry || for name in HOSTER_{API_URL,TIME_ZONE}; do
    [[ -z $(variable "$name") ]] || say "$name in the unit (systemctl cat hoster-exporter) overrides your answer. Remove it there to use the answer."
  done
}

# ---------------------------------------------------------------------------------------------------------------------
# Prometheus and Alertmanager
# ---------------------------------------------------------------------------------------------------------------------

# set_arguments FILE ARGUMENTS: sets the arguments of a Debian daemon, before its package starts it.
set_arguments() {
  { printf 'ARGS="%s"\n' "$2" && { grep -sv '^ARGS=' "$1" || true; }; } >"$work/arguments"
  put "$work/arguments" "$1"
}

# Sets `size`, the megabytes for Prometheus: half of the space that is free at installation. Says how long they will last.
choose_size() {
  local phones days
  size=$(sed -n 's/^ARGS=.*retention\.size=\([0-9]*\)MB.*/\1/p' /etc/default/prometheus 2>/dev/null || true)
  [[ -n $size ]] || size=$(($(free_space /var) / 2))
  phones=$(responds_with /api/v1/fleet?phones=no | grep -o '"totals":{"phones":[0-9]*' | awk -F : '{ sum += $3 } END { print sum }' || true)
  # As in docs/MONTH.md, in kilobytes a day.
  days=$((size * 1000 / (${phones:-0} * 115 + 2000)))
  ((days >= 400)) || say "Prometheus may use $size MB of this disk, which is enough for about $days days of $phones phones. After that, it drops the oldest days."
}

shows_no_ended_incident() {
  [[ -z $(responds_with /metrics | sed -n 's/^hoster_incident_\(since_timestamp\|ended\)_seconds{.*incident="\([^"]*\)".*/\2/p' | sort | uniq -d) ]]
}

start_prometheus() {
  [[ ! -v process[prometheus] ]] || return 0
  step 'Prometheus'
  local folder=/etc/prometheus rules size
  choose_size
  # The exporter shows an incident for a minute after it ends. A new Prometheus would think that it is open, as after a restore.
  if ! $dry && ! is_package installed prometheus && ! shows_no_ended_incident; then
    say 'Waiting for up to a minute, so that you are not alerted to an incident that has ended …'
    wait_until hoster-exporter shows_no_ended_incident || true
  fi
  set_arguments /etc/default/prometheus \
    "--web.listen-address=$(host_of prometheus) --storage.tsdb.retention.time=400d --storage.tsdb.retention.size=${size}MB"
  install_packages prometheus
  # The settings of an existing Alertmanager are below its address.
  sed -e 's/exporter:9823/127.0.0.1:9823/' -e "/alertmanager:9093/{s//$(host_of alertmanager)/; r /dev/stdin" -e '}' \
    "$share/config/prometheus/prometheus.yml" >"$work/prometheus.yml" < <(cat "$work/setup/destination" 2>/dev/null || true)
  for rules in "$share"/config/prometheus/*.rules.yml; do put "$(translated "$rules")" "$folder/$(basename "$rules")"; done
  put "$work/prometheus.yml" $folder/prometheus.yml
  restart prometheus /etc/default/prometheus $folder/prometheus.yml $folder/*.rules.yml
  wait_for prometheus responds "${api[prometheus]}/-/ready"
}

start_alertmanager() {
  [[ ! -v process[alertmanager] ]] || return 0
  step 'Alertmanager'
  local file routes=/etc/prometheus/alertmanager.yml templates=()
  set_arguments /etc/default/prometheus-alertmanager "--web.listen-address=$(host_of alertmanager) --cluster.listen-address="
  install_packages prometheus-alertmanager
  put_secrets prometheus
  for file in "$share"/config/alertmanager/templates/*.tmpl; do
    templates+=("/etc/prometheus/templates/$(basename "$file")")
    put "$(translated "$file")" "${templates[-1]}"
  done
  [[ -f $work/setup/alertmanager/alertmanager.yml ]] || return 0
  put "$work/setup/alertmanager/alertmanager.yml" $routes 640 root:prometheus
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
    [[ -e $ETC/telegram-token && -n $channel ]] || return 0
    run rm $ETC/telegram-token
    run systemctl disable --quiet --now $unit
    say 'The Telegram bot no longer answers commands.'
    return
  fi
  $dry && [[ -z $secret ]] && return
  step "The service $unit"
  chats=$(answer chats)
  (umask 077 && printf '%s' "$secret" >"$work/token")
  place "$work/token" $ETC/telegram-token 600
  # Tests use an address other than Telegram's.
  options=${HOSTER_TELEGRAM_API:+--bot-api-url=$HOSTER_TELEGRAM_API}
  ! is_proxied || options+=' --client.proxy-from-environment'
  printf 'TELEGRAM_CHATS=%s\nTELEGRAM_OPTIONS=%s\n' "$chats" "${options# }" >"$work/telegram"
  [[ ! -f $ETC/telegram ]] || sed "s|^TELEGRAM_CHATS=$earlier_chats$|TELEGRAM_CHATS=$chats|" $ETC/telegram >"$work/telegram"
  place "$work/telegram" $ETC/telegram 644
  start_service $unit token:$ETC/telegram-token $ETC/{telegram,telegram-token,environment}
}

# Prints the version of Alertmanager. If it is unknown, prints the oldest one, whose files the others can read.
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
  [[ $channel != none ]] || return 0
  step 'The test alert'
  $dry && { say '  would send a test alert'; return; }
  $is_joined || { say 'It is sent once the lines at the end are in place.' && return; }
  [[ $(answer is_locked "$work/setup/join.yml") != true ]] || { say 'No test alert was sent, because your Alertmanager requires a password.' && return; }
  # It asks whether the alert arrived.
  $COMMAND setup --test="${api[alertmanager]}" --directory="$work/setup" && return
  (($? != 130)) || exit 130
  not_arrived=true
  why=$(journalctl -u prometheus-alertmanager -u alertmanager --since=-5min --no-pager 2>/dev/null | grep -o 'err=.*' | tail -n 1 || true)
  why=${why//"${secret:-nothing}"/…}
  [[ -z $why ]] || say "$why" >&2
}

finish() {
  local code=$?
  # Nothing in here may end it early, such as a terminal that is gone. It cleans up before it prints anything.
  set +e
  # Only a person's answers are worth keeping.
  if [[ -d $ETC/.answers ]] && ! $dry && ! { is_interactive && [[ -f $ETC/.answers/exporter/key && ! -f $ETC/key ]]; }; then
    rm -rf $ETC/.answers
    rmdir --ignore-fail-on-non-empty $ETC
  fi
  [[ -z $work ]] || rm -rf "$work"
  if ((code == 130)) && ! $explained; then
    printf '\nInterrupted. Run the same command again to continue.\n' >&2
  elif ((code > 0)) && ! $explained && [[ -n $current_step ]]; then
    printf '\nThe step "%s" failed (see above). Fix it, and run the same command again to continue.\n' "$current_step" >&2
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
    # A killed run leaves secrets behind.
    rm -rf "$BUILD"/hoster-exporter-install.*
  fi
  work=$(mktemp --directory --tmpdir="$BUILD" hoster-exporter-install.XXXXXX)
  local deb node_deb exporter=() configuration channel secret='' earlier_chats=''
  deb=$(take_newest 'hoster-exporter_*_all.deb')
  node_deb=$(take_newest "hoster-exporter-node_*_$(dpkg --print-architecture).deb")
  check_sums "$deb" "$node_deb"
  [[ -z $deb ]] || { dpkg-deb --extract "$deb" "$work/deb" && share=$work/deb/usr/share/hoster-exporter; }
  # shellcheck source=packaging/deb/files.sh
  . "$share/packaging/deb/files.sh"
  # shellcheck source=packaging/deb/packages.sh
  . "$share/packaging/deb/packages.sh"
  # shellcheck source=packaging/deb/services.sh
  . "$share/packaging/deb/services.sh"
  # shellcheck source=packaging/deb/remove.sh
  . "$share/packaging/deb/remove.sh"
  # shellcheck source=packaging/deb/join.sh
  . "$share/packaging/deb/join.sh"
  # shellcheck source=packaging/deb/grafana.sh
  . "$share/packaging/deb/grafana.sh"
  if $uninstall; then
    remove "$@"
    return
  fi
  examine "$@"
  $dry || mark_automatic
  get_package
  ask_questions
  install_package
  start_exporter
  join_daemons
  start_prometheus
  start_alertmanager
  drop_old_secrets
  start_chat
  test_message
  install_grafana
  if $dry; then
    step 'Nothing was changed'
    return
  fi
  keep_packaged
  if $is_joined; then step 'Done'; else step 'Installed'; fi
  cat <<TEXT
Your phones:       http://127.0.0.1:9823     (from elsewhere: ssh -L 9823:127.0.0.1:9823 this-machine)
Alerts:            ${api[alertmanager]}
Queries:           ${api[prometheus]}
Settings:          $configuration
Next:              docs/GUIDE.md explains what to adapt, such as quiet hours.
TEXT
  [[ $(answer has_watchdog) != false ]] || say 'Without a watchdog:  if this machine stops, nobody is alerted. Add one with: sudo ./install.sh --ask'
  ! $is_joined || printf '\n%s\n' 'You get an alert about 5 minutes after the last heartbeat of a sold phone. Everything starts again after a reboot.'
  ((${#kept[@]} == 0)) || {
    printf '\nYour own files are kept. Compare them with these new versions:\n'
    printf '  %s.hoster-new\n' "${kept[@]}"
  }
  [[ ! -f $work/join.log ]] || { say && cat "$work/join.log"; }
  $is_joined || fail 'Alerts cannot arrive yet: your own servers lack the lines above.' \
    'Add them, and run this command again: it checks them with promtool, amtool and the servers, and sends a test alert.'
  ! $not_arrived || fail "Everything is running, but the test alert did not arrive${why:+ ($why)}." \
    'Check the right chat or folder, then run it with --ask to change your answers.'
}

main "$@"
