#!/usr/bin/env bash
# Runs the commands of README, docs/start.md and docs/contributing.md on a bare machine: a minimal Debian in a chroot, each
# step from a clean copy of HEAD. STEPS chooses some of: root-demo root-test user venv pip wheel. RELEASE is the Debian or
# Ubuntu release, by default this machine's or bookworm. Needs root, debootstrap and the network. The bare system is kept
# for a month and the log of every step until the next run, in mapexplorer-bare in the cache folder.
set -euo pipefail

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
NAME=check-bare
ALL_STEPS="root-demo root-test user venv pip wheel"
PACKAGES=python3,make
PAGES="README.md docs/start.md docs/contributing.md"
. "$HERE/bare/run.sh"
. "$HERE/bare/steps.sh"

git -C "$HERE/../.." archive --output "$CONTENT" HEAD
# shellcheck disable=SC2086
tar -C "$WORK" -xf "$CONTENT" $PAGES
run_steps "$(git -C "$HERE" log -1 --format='%h %s')"
