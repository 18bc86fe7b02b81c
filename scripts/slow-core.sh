#!/usr/bin/env bash
# Simulates a slow machine: runs a command and its children on the first core, next to a process that keeps it busy.
# Requires taskset (util-linux). Example: scripts/slow-core.sh npm test
set -euo pipefail

taskset --cpu-list 0 bash -c 'while :; do :; done' &
trap 'kill %1' EXIT
time taskset --cpu-list 0 "$@"
