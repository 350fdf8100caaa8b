#!/bin/sh
# Starts Alertmanager in a container with the configuration of the channel that HOSTER_CHANNEL names (docs/STACK.md):
#
#   telegram:CHAT, mail:SERVER:ADDRESS, ntfy:TOPIC, discord, slack, webhook, none, or own for alertmanager.yml as it stands
#
# The configurations are beside this script. Arguments: the file to write, then those of Alertmanager.
set -eu

files=$(dirname "$0")
configuration=$1
shift
name=${HOSTER_CHANNEL%%:*}
blanks=${HOSTER_CHANNEL#"$name"}
blanks=${blanks#:}
file=$files/alertmanager.$name.yml
[ "$name" != own ] || file=$files/alertmanager.yml

fail() {
  echo "HOSTER_CHANNEL is \"$HOSTER_CHANNEL\": $1" >&2
  exit 2
}

[ -f "$file" ] ||
  fail 'expected telegram:CHAT, mail:SERVER:ADDRESS, ntfy:TOPIC, discord, slack, webhook, none or own.'
case $name:$blanks in
  telegram:) fail 'expected the number of the chat too, such as telegram:123456789.' ;;
  ntfy:) fail 'expected the topic too, such as ntfy:my-phones-8231, or ntfy:https://ntfy.example.com/my-phones.' ;;
  mail:*:?*@?*) ;;
  mail:*) fail 'expected the server and the address too, such as mail:smtp.example.com:me@example.com.' ;;
esac

sed -n '/^ *#/d; s/^ .*_file: *//p' "$file" | while read -r secret; do
  [ -s "$secret" ] || fail "a secret is expected in secrets/alertmanager/${secret##*/}, which is not there or empty."
done

server=https://ntfy.sh
[ "$name" != ntfy ] || [ "$blanks" = "${blanks#*/}" ] || server=${blanks%/*}

sed "s|templates/|$files/templates/|; s|YOUR_CHAT_ID|$blanks|; s|YOUR_MAIL_SERVER|${blanks%:*}|; s|YOUR_ADDRESS|${blanks##*:}|
  s|url: https://ntfy.sh|url: $server|; s|YOUR_TOPIC|${blanks##*/}|" \
  "$file" >"$configuration"
exec alertmanager "--config.file=$configuration" "$@"
