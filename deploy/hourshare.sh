#!/bin/sh
# Runs a command as the user of hourshare.service, with its settings: hourshare admin users. For root.
exec systemd-run --quiet --wait --pipe --collect --uid=hourshare --setenv=DATA_DIR=/var/lib/hourshare \
  --property=EnvironmentFile=/etc/hourshare/hourshare.env --working-directory=/opt/hourshare \
  node scripts/hourshare.mjs "$@"
