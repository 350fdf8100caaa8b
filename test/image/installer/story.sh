#!/bin/bash
# An owner installs, runs the command again, answers wrongly, runs into a taken port and a full disk, and removes everything.
# Prints how each step ended, what it restarted, and the end of what it said.
set -u
cd /mnt || exit
stick=(/mnt2/*)

# A session with a decimal comma and another script, if this machine has its locale.
localedef -i uk_UA -f UTF-8 uk_UA.UTF-8 &>/dev/null || true
export LANG=uk_UA.UTF-8
unset LC_ALL
echo "## session: $(stat -c %.1Z /)"

# step NAME LINES COMMAND...
step() {
  local name=$1 lines=$2 begin=$SECONDS
  shift 2
  : >/run/units/log
  "$@" &>/tmp/said
  echo "## $name: $? $(grep -c '^restart' /run/units/log) restarts, $((SECONDS - begin)) s"
  tail -n "$lines" /tmp/said
}

# Each file that an installation may touch, with its time and mode. A group comes and goes.
state() { getent group | sort | sha256sum; find /etc /opt /usr/bin /usr/local/bin /usr/share/hoster* /lib/systemd/system /var/lib/hoster* -printf '%p %y %m %u %s %T@\n' 2>/dev/null | grep -vE ' d |^/etc/g(roup|shadow)' | sort; }
compare_state() { state | diff /tmp/before - && echo 'as before'; }

# package NAME DEPENDS [PROGRAM]: puts a package with a file of configuration into the only repository of this machine.
package() {
  local root=/run/repository/$1
  mkdir -p "$root/DEBIAN" "$root/etc" "$root/usr/bin"
  echo "$1" >"$root/etc/$1.conf"
  echo "/etc/$1.conf" >"$root/DEBIAN/conffiles"
  [[ -z ${3:-} ]] || cp "$3" "$root/usr/bin/"
  printf 'Package: %s\nVersion: 99\nArchitecture: all\nMaintainer: test <test@example.com>\nDepends: %s\nDescription: test\n' \
    "$1" "$2" >"$root/DEBIAN/control"
  dpkg-deb --build "$root" "$root.deb" >/dev/null
  {
    cat "$root/DEBIAN/control"
    printf 'Filename: ./%s.deb\nSize: %s\nSHA256: %s\n\n' "$1" "$(stat -c %s "$root.deb")" "$(sha256sum "$root.deb" | cut -d ' ' -f 1)"
  } >>/run/repository/Packages
}

# The installer has to bring curl, which brings two more packages, one of which the owner's tool needs.
package curl 'test-library, test-named' "$(command -v curl)"
package test-library dpkg
package test-named dpkg
package owner-tool test-library
rm -f "$(command -v npm)"
dpkg --remove --force-depends curl >/dev/null 2>&1
# What else is on this machine does not need curl.
sed -i -E '/^(Depends|Recommends|Suggests): /s/(: |, |\| )curl( \([^)]*\))?(,| \||$)/\1dpkg\3/g' /var/lib/dpkg/status
rm -rf /etc/apt/sources.list /etc/apt/sources.list.d/*
echo 'deb [trusted=yes] file:/run/repository ./' >/etc/apt/sources.list

echo '#!/bin/sh' >/usr/local/sbin/journalctl
echo 'exec cat /run/units/prometheus-alertmanager.log' >>/usr/local/sbin/journalctl
chmod 755 /usr/local/sbin/journalctl
mkdir -p /run/units /run/wrong
install -m 666 /dev/null /run/units/log
printf 'wrong' >/run/wrong/key
printf '1:wrong' >/run/wrong/token
printf '%s/hook' "$HOSTER_TELEGRAM_API" >/run/hook
# What a person changed here before is not of this story: these are the files of their packages.
for file in /etc/prometheus/{prometheus,alertmanager}.yml /etc/default/prometheus{,-alertmanager}; do
  sed -i "s|^ $file .*| $file $(md5sum "$file" | cut -d ' ' -f 1)|" /var/lib/dpkg/status
done
mkdir -p /var/lib/prometheus
echo 'of a person' >/var/lib/prometheus/mine
install -d -m 711 /etc/alertmanager/secrets
echo 'of a person' >/etc/alertmanager/secrets/mine
# What a run leaves that was killed.
mkdir /var/tmp/hoster-exporter-install.killed
state >/tmp/before

step channel 4 env HOSTER_CHANNEL=pigeon ./install.sh --yes
step nobody 4 env HOSTER_API_URL= ./install.sh --dry-run
as_user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
step user 4 "${as_user[@]}" ./install.sh
step user_dry 40 env HOSTER_API_KEY_FILE=/run/wrong/key HOSTER_CHANNEL_SECRET_FILE=/run/wrong/token \
  "${as_user[@]}" ./install.sh --dry-run
step shell 1 sh ./install.sh --dry-run
step piped 4 bash -c 'cd / && bash </mnt/install.sh'
step piped_shell 4 bash -c 'sh <install.sh'
compare_state
step purge_alone 40 ./install.sh --purge
compare_state
# What a run leaves that was interrupted at its questions.
mkdir -p /etc/hoster-exporter && touch /etc/hoster-exporter/{key,setup.yml}
step purge_answers 40 ./install.sh --uninstall --purge
compare_state

step dry 40 bash "${stick[0]}/install.sh" --dry-run
compare_state

node -e 'for (const port of [9090, 9823]) require("net").createServer().listen(port, "127.0.0.1")' &
listener=$!
until (: </dev/tcp/127.0.0.1/9823) 2>/dev/null; do sleep 0.1; done
step port 3 ./install.sh --yes
kill $listener
wait
node -e 'require("net").createServer().listen(9090, "127.0.0.1")' &
listener=$!
until (: </dev/tcp/127.0.0.1/9090) 2>/dev/null; do sleep 0.1; done
step other_port 100 ./install.sh --dry-run
kill $listener
wait
compare_state

# A disk on which the program cannot be built.
mkdir /run/small
mount -t tmpfs -o size=20m small /run/small
step full 6 env TMPDIR=/run/small ./install.sh --yes
umount /run/small
compare_state

step registry 3 env npm_config_registry=file:///run/registry ./install.sh --yes
node packaging/packages.mjs | while read -r _ name version _; do
  mkdir -p "/run/registry/$name/-"
  echo 'wrong' >"/run/registry/$name/-/${name##*/}-$version.tgz"
done
step checksum 3 env npm_config_registry=file:///run/registry ./install.sh --yes

step early_key 8 env HOSTER_API_KEY_FILE=/run/wrong/key ./install.sh --yes
step early_token 4 env HOSTER_CHANNEL_SECRET_FILE=/run/wrong/token ./install.sh --yes
step early_chat 4 env HOSTER_TELEGRAM_CHAT=999 ./install.sh --yes
systemctl is-active hoster-exporter || echo 'no service'

step install 400 bash "${stick[0]}/install.sh" --yes
curl -s 127.0.0.1:9823/-/ready
step again 4 ./install.sh --yes
step preview 40 ./install.sh --dry-run
cp /run/wrong/key /etc/hoster-exporter/key
step refused 40 env -u HOSTER_API_KEY_FILE ./install.sh --yes
cp "$HOSTER_API_KEY_FILE" /etc/hoster-exporter/key
step repaired 4 ./install.sh --yes
step currency 4 env HOSTER_CURRENCY=euros ./install.sh --yes
step address 4 env HOSTER_API_URL=http://127.0.0.1:9 ./install.sh --yes
step key 20 env HOSTER_API_KEY_FILE=/run/wrong/key ./install.sh --yes
step token 4 env HOSTER_CHANNEL_SECRET_FILE=/run/wrong/token ./install.sh --yes
step plain 5 env HOSTER_API_URL=http://192.0.2.1 ./install.sh --yes
echo '# mine' >>/etc/prometheus/prometheus.yml
step changed 100 ./install.sh
tail -n 1 /etc/prometheus/prometheus.yml

step replaced 4 ./install.sh --yes
tail -n 1 /etc/prometheus/prometheus.yml.before-hoster-*
rm -f /etc/prometheus/*.before-hoster-*
step blocked 20 env HOSTER_TELEGRAM_CHAT=888 ./install.sh --yes
step answers 4 env HOSTER_TELEGRAM_CHAT=4711 HOSTER_TELEGRAM_ANSWERS=yes ./install.sh --yes
# shellcheck source=/dev/null
. /etc/hoster-exporter/telegram
read -ra options <<<"$TELEGRAM_OPTIONS"
hoster-exporter telegram --check --token-file=/etc/hoster-exporter/telegram-token --chats="$TELEGRAM_CHATS" "${options[@]}" || true
rm -f /tmp/said
# In a terminal: the language of the machine, a wrong key, then the one that is there; a wrong channel, two wrong tokens, a wrong chat, and the bot as before.
{
  printf '%s\n' '' '' wrong '' '' '' Pigeon Telegram nonsense 1:wrong '' 999 '' ''
  for ((tries = 0; tries < 300; tries += 1)); do ! grep -qs '^Sent' /tmp/said || break; sleep 0.2; done
  echo y
} | step talk 60 env -u HOSTER_API_URL -u HOSTER_API_KEY_FILE -u HOSTER_CHANNEL -u HOSTER_CHANNEL_SECRET_FILE \
  script --quiet --return --command './install.sh --yes --ask' /dev/null

# Another key of the same account, then another channel, and then a newer version, from a copy without bits for execution.
step other_channel 4 env HOSTER_CHANNEL=webhook HOSTER_CHANNEL_SECRET_FILE=/run/hook ./install.sh --yes --ask
find /etc/alertmanager/secrets -type f -printf '%f\n' | sort
sed -n '/name: watchdog/,$ s/canary.*/…/p' /etc/prometheus/alertmanager.yml
step same_channel 4 ./install.sh --yes --ask
mkdir /run/newer
tar -c --exclude ./node_modules --exclude ./.build --exclude ./.git --exclude ./dist . | tar -x -C /run/newer --mode a-x,a+X
sed -i 's/"version": ".*"/"version": "99.0.0"/' /run/newer/package.json
cd /run/newer || exit
step upgrade_preview 40 bash install.sh --dry-run
step upgrade 40 bash install.sh
hoster-exporter --version
cd /mnt || exit
step downgrade 4 ./install.sh --yes

# A Prometheus and an Alertmanager of a person, which this script did not install.
systemctl stop prometheus prometheus-alertmanager
record=/var/lib/hoster-exporter-install
cp $record/files /run/files
sed -i '/default/d' $record/files
mkdir -p /run/person/rules
cd /run/person || exit
printf 'rule_files: [rules/*.yml]\nscrape_configs:\n- job_name: mine' >prometheus.yml
printf 'route:\n  receiver: mine\nreceivers:\n  - name: mine\n' >alertmanager.yml
cp -r . /run/before
prometheus --config.file=prometheus.yml --storage.tsdb.path=data --web.listen-address=:9190 &>/dev/null &
prometheus-alertmanager --config.file=alertmanager.yml --storage.path=data --web.listen-address=127.0.0.1:9193 --cluster.listen-address= &>/dev/null &
until curl -fs 127.0.0.1:9190/-/ready 127.0.0.1:9193/-/ready >/dev/null; do sleep 0.2; done
cd /mnt || exit
# By Node, because curl is removed with the rest.
job() {
  node -e 'fetch("http://127.0.0.1:9190/api/v1/targets?state=active").then((response) => response.text()).then((said) =>
    console.log(/"activeTargets".*"scrapePool":"hoster"/.test(said) ? "has the job" : "no job"))'
}
export HOSTER_TELEGRAM_ANSWERS=no
step own 300 ./install.sh --yes
diff -r --exclude data /run/before /run/person && echo 'as it was'
job
for kind in prometheus alertmanager; do node test/image/installer/paste.mjs /run/person/$kind.yml /etc/hoster-exporter/join/$kind.yml; done
step own_unloaded 300 ./install.sh
pkill -HUP -f -- '--config.file=(prometheus|alertmanager).yml'
is_loaded() {
  curl -s 127.0.0.1:9190/api/v1/rules | grep -q HosterSold && [[ $(job) == 'has the job' ]] &&
    curl -s 127.0.0.1:9193/api/v2/receivers | grep -q hoster-page
}
for ((tries = 0; tries < 50; tries += 1)); do if is_loaded; then break; else sleep 0.2; fi; done
cp -r /run/person/*.yml /run/before
step own_loaded 300 ./install.sh
job

echo '# mine' >>/etc/prometheus/hoster.rules.yml
apt-get install -y -qq owner-tool >/dev/null 2>&1
apt-get install -y -qq test-named >/dev/null 2>&1
step plan 40 ./install.sh --uninstall --dry-run
step removed 40 ./install.sh --uninstall
dpkg-query --show --showformat='${Package} ${db:Status-Status}\n' curl test-library test-named owner-tool
job
rm -r /run/person/data
diff -r /run/before /run/person && echo 'as it was'
grep default /run/files >>$record/files
step removed_again 4 ./install.sh --uninstall
echo 'of a person' >/etc/hoster-exporter/mine
step purged 20 ./install.sh --uninstall --purge
cat /etc/hoster-exporter/mine
rm -r /etc/hoster-exporter
dpkg --purge owner-tool test-library test-named >/dev/null
compare_state
cat /var/lib/prometheus/mine
stat -c %a /etc/alertmanager/secrets
[[ -e /var/tmp/hoster-exporter-install.killed ]] || echo 'no folder of a run'
