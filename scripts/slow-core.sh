#!/usr/bin/env bash
# Runs a command as on a slow machine: with all that it starts on the first core, next to a process that keeps it busy.
# Needs taskset of util-linux. For example: scripts/slow-core.sh npm test
set -euo pipefail

taskset --cpu-list 0 bash -c 'while :; do :; done' &
trap 'kill %1' EXIT
time taskset --cpu-list 0 "$@"
