#!/bin/sh
# Runs a command as the user of hourshare.service, with its settings: hourshare admin users. For root.
unit=hourshare-command-$$
set -- node scripts/hourshare.mjs "$@"
# Each of these files is named after the setting whose value it contains; backup copies of editors aren't.
for file in /etc/hourshare/secrets/*; do
  name=${file##*/}
  case $name in *[!A-Z_]*) continue ;; esac
  set -- "--property=LoadCredential=$name:$file" "--setenv=${name}_FILE=/run/credentials/$unit.service/$name" "$@"
done
exec systemd-run --unit="$unit" --quiet --wait --pipe --collect --uid=hourshare --setenv=DATA_DIR=/var/lib/hourshare \
  --property=EnvironmentFile=/etc/hourshare/hourshare.env --working-directory=/opt/hourshare "$@"
