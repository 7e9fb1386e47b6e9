#!/bin/sh
# PostgreSQL's image runs this once, when compose.yaml first starts it: makes HourShare's role, which isn't a superuser, and its
# database.
set -eu
psql --username=postgres --dbname=postgres --no-psqlrc --set=ON_ERROR_STOP=1 --set=password="$(cat /run/secrets/database-password)" <<'SQL'
create role hourshare login password :'password';
create database hourshare owner hourshare encoding 'UTF8' template template0;
SQL
