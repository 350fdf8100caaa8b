#!/bin/sh
# Starts Alertmanager in a container with the routes from `docker compose run --rm setup`, or, before that, with routes that
# notify nobody. Takes the arguments of Alertmanager.
set -eu

file=/etc/alertmanager/alertmanager.yml
[ -f "$file" ] || file=$(dirname "$0")/alertmanager.none.yml
exec alertmanager "--config.file=$file" "$@"
