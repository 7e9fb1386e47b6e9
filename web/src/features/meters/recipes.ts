// What to paste into other programs so that they tell a meter, as data: the app shows it with the address of its server and the
// token, docs with these examples. Names of fields are those of the programs.

import type { MeterKind } from '@hourshare/contract/fields';

/* oxlint-disable hourshare/text-in-catalog -- nothing here is in a language of ours */

export const EXAMPLE_SERVER = 'https://hours.example.org';
export const EXAMPLE_TOKEN = 'hm_YOUR_TOKEN';
/** What the events call someone, for the reader to replace. */
export const EXAMPLE_NAME = '"name": "NAME", ';

export interface Recipe {
  id: 'curl' | 'home_assistant' | 'shortcuts' | 'jellyfin' | 'tautulli' | 'activitywatch' | 'claude_code';
  title: string;
  /** For meters of totals, instead of sessions. */
  totals?: true;
  /** Whether it is about whoever uses something. Otherwise it may run on a member's own machine. */
  tellsNames: boolean;
  parts: { where: string; text: string }[];
}

const EVENTS = `${EXAMPLE_SERVER}/api/meters/events/`;
const BEARER = `Bearer ${EXAMPLE_TOKEN}`;

const curlOf = (type: 'start' | 'stop') => `curl '${EVENTS}' \\
  -H 'Authorization: ${BEARER}' -H 'Content-Type: application/json' \\
  -d '{"events": [{"id": "${type}-'$(date +%s)'", ${EXAMPLE_NAME}"type": "${type}", "at": "'$(date -u +%FT%TZ)'"}]}'`;

const tautulliOf = (type: 'start' | 'stop') =>
  `{"events": [{"id": "{session_key} {unixtime} ${type}", "name": "{username}", "type": "${type}", "at": "{utctime:.19}Z"}]}`;

export const recipes: readonly Recipe[] = [
  {
    id: 'curl',
    title: 'curl',
    tellsNames: false,
    parts: [
      { where: 'start', text: curlOf('start') },
      { where: 'stop', text: curlOf('stop') },
    ],
  },
  {
    id: 'home_assistant',
    title: 'Home Assistant',
    tellsNames: false,
    parts: [
      {
        where: 'configuration.yaml',
        text: `rest_command:
  hourshare:
    url: ${EVENTS}
    method: post
    content_type: application/json
    headers:
      Authorization: ${BEARER}
    payload: >-
      {"events": [{"id": "{{ now().timestamp() }}", ${EXAMPLE_NAME}"type": "{{ type }}", "at": "{{ now().isoformat() }}"}]}

automation hourshare:
  - alias: HourShare
    triggers:
      - { trigger: numeric_state, entity_id: sensor.plug_power, above: 10, id: start }
      - { trigger: numeric_state, entity_id: sensor.plug_power, below: 10, id: stop }
      - { trigger: time_pattern, minutes: "/5", id: beat }
    conditions:
      - "{{ trigger.id != 'beat' or states('sensor.plug_power') | float(0) > 10 }}"
    actions:
      - action: rest_command.hourshare
        data:
          type: "{{ trigger.id }}"`,
      },
    ],
  },
  {
    id: 'shortcuts',
    title: 'iOS Shortcuts',
    tellsNames: false,
    parts: [
      { where: 'Get Contents of URL', text: EVENTS },
      { where: 'Authorization', text: BEARER },
      { where: 'Content-Type', text: 'application/json' },
      {
        where: 'Text',
        text: `{"events": [{"id": "start DATE",
  ${EXAMPLE_NAME}"type": "start", "at": "DATE"}]}`,
      },
    ],
  },
  {
    id: 'jellyfin',
    title: 'Jellyfin',
    tellsNames: true,
    parts: [
      { where: 'Webhook Url', text: EVENTS },
      { where: 'Authorization', text: BEARER },
      { where: 'Content-Type', text: 'application/json' },
      {
        where: 'Template',
        text: `{"events": [{
  "id": "{{UserId}} {{UtcTimestamp}}",
  "name": "{{NotificationUsername}}",
  "type": "{{#if_equals NotificationType 'PlaybackStop'}}stop{{else}}{{#if_equals IsPaused 'True'}}stop{{else}}beat{{/if_equals}}{{/if_equals}}",
  "at": "{{UtcTimestamp}}"
}]}`,
      },
    ],
  },
  {
    id: 'tautulli',
    title: 'Tautulli',
    tellsNames: true,
    parts: [
      { where: 'Webhook URL', text: EVENTS },
      { where: 'JSON Headers', text: `{"Authorization": "${BEARER}"}` },
      { where: 'Playback Start, Playback Resume', text: tautulliOf('start') },
      { where: 'Playback Stop, Playback Pause', text: tautulliOf('stop') },
    ],
  },
  {
    id: 'activitywatch',
    title: 'ActivityWatch',
    tellsNames: false,
    parts: [
      {
        where: 'hourshare.sh',
        text: `#!/bin/sh
query='w = flood(query_bucket(find_bucket("aw-watcher-window_")));
a = flood(query_bucket(find_bucket("aw-watcher-afk_")));
w = filter_period_intersect(w, filter_keyvals(a, "status", ["not-afk"]));
RETURN = filter_keyvals(w, "app", ["Figma"]);'
jq -n --arg query "$query" '{query: [$query],
  timeperiods: ["\\(now - 80000 | floor | todate)/\\(now | floor | todate)"]}' |
curl -s http://localhost:5600/api/0/query/ -H 'Content-Type: application/json' -d @- |
jq '{"events": [.[0][:500][] | select(.duration >= 1) | (.timestamp[:19] + "Z" | fromdate) as $start |
  {"id": "\\($start)", ${EXAMPLE_NAME}"type": "session",
    "start": ($start | todate), "end": ($start + .duration | floor | todate)}]}' |
curl -s '${EVENTS}' \\
  -H 'Authorization: ${BEARER}' -H 'Content-Type: application/json' -d @-`,
      },
      { where: 'crontab', text: '*/10 * * * * sh ~/hourshare.sh' },
    ],
  },
  {
    id: 'claude_code',
    title: 'Claude Code',
    totals: true,
    tellsNames: false,
    parts: [
      {
        where: '~/.profile',
        text: `export CLAUDE_CODE_ENABLE_TELEMETRY=1 OTEL_METRICS_EXPORTER=otlp
export OTEL_EXPORTER_OTLP_METRICS_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=${EXAMPLE_SERVER}/v1/metrics
export OTEL_EXPORTER_OTLP_METRICS_HEADERS='Authorization=${BEARER}'`,
      },
    ],
  },
];

/** Returns the recipes for a meter. */
export const recipesFor = ({ kind, own }: { kind: MeterKind; own: boolean }): Recipe[] =>
  recipes.filter(({ totals, tellsNames }) => (totals === true) === (kind === 'totals') && !(own && tellsNames));

/** Returns a text for a server and a token; without a name for the token of one member. */
export function filledIn(
  text: string,
  { server, token, own }: { server: string; token: string; own: boolean },
): string {
  const named = own ? text.replaceAll(EXAMPLE_NAME, '') : text;
  return named.replaceAll(EXAMPLE_SERVER, () => server).replaceAll(EXAMPLE_TOKEN, () => token);
}
