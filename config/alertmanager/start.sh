#!/bin/sh
# Starts Alertmanager in a container with the routes that `docker compose run --rm setup` wrote, or, before that, with those
# that tell nobody. Arguments: those of Alertmanager.
set -eu

file=/etc/alertmanager/alertmanager.yml
[ -f "$file" ] || file=$(dirname "$0")/alertmanager.none.yml
exec alertmanager "--config.file=$file" "$@"
