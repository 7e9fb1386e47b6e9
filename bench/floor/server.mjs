import { createServer } from 'node:http';
import pg from 'pg';

// The minimum that could serve the benchmark's calls: node:http, pg and one prepared statement per call, with the
// product's JSON. No sign-in, validation, limits or headers; bench/http.mjs divides the product's figures by this
// one's.

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  // Like the product, because compiling these statements takes longer than running them.
  options: '-c jit=off',
});

const user = Number(process.env.FLOOR_USER);

/** Seconds of a share's sessions in the current month, UTC. */
const used = `
  coalesce((select sum(extract(epoch from coalesce(s.ended_at, $2) - s.started_at))::int from sessions s
    where s.share_id = sh.id and s.started_at >= $3), 0) as used`;

const statements = {
  list: {
    name: 'list',
    text: `select sh.id, a.id as asset_id, a.name, a.description, o.id as owner_id, o.username as owner, sh.created_at,
        sh.monthly_hours_allocated, ${used}, a.currency, p.price_cents, p.split_method, p.base_percent, p.max_hour_cents,
        p.measured, p.owner_hours + level.hours as total_hours, 1 + level.members as places,
        (select started_at from sessions s where s.share_id = sh.id and s.ended_at is null) as active_since,
        (select ended_at from sessions s where s.share_id = sh.id and s.ended_at is not null
          order by s.started_at desc limit 1) as last_used_at
      from shares sh join assets a on a.id = sh.asset_id join users o on o.id = a.owner_id
      join periods p on p.asset_id = a.id and p.month = $3::date
      cross join lateral (
        select sum(monthly_hours_allocated)::int as hours, count(*)::int as members
        from shares where asset_id = a.id and ended_at is null
      ) level
      where sh.member_id = $1 and sh.ended_at is null and a.archived_at is null
      order by sh.id limit 501`,
  },
  start: {
    name: 'start',
    text: `with share as (
        select sh.id, a.name, 24 as max_session_hours from shares sh join assets a on a.id = sh.asset_id
        where sh.id = $1 and sh.member_id = $2 and sh.ended_at is null and a.archived_at is null
      ), started as (
        insert into sessions (share_id, started_at, ends_by)
        select id, $3::timestamptz, $3::timestamptz + make_interval(hours => max_session_hours) from share
        on conflict (share_id) where ended_at is null do nothing
        returning id, started_at, ended_at
      )
      select started.*, share.name from started, share`,
  },
  end: {
    name: 'end',
    text: `update sessions s set ended_at = greatest(s.started_at, $3::timestamptz)
      from shares sh join assets a on a.id = sh.asset_id
      where s.share_id = sh.id and sh.id = $1 and sh.member_id = $2 and s.ended_at is null and a.archived_at is null
      returning s.id, s.started_at, s.ended_at, a.name`,
  },
};

async function list() {
  const now = new Date();
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
  const { rows } = await pool.query(statements.list, [user, now, month]);
  const results = rows.map((row) => ({
    id: Number(row.id),
    asset_name: row.name,
    owner: row.owner,
    owner_hue: Number(row.owner_id) % 12,
    status: 'accepted',
    manager_since: null,
    accepted: true,
    starts_on: null,
    ends_on: null,
    offer: null,
    next_terms: null,
    own: false,
    measured: row.measured,
    recorded_by: null,
    terms: {
      split_method: row.split_method,
      base_percent: row.base_percent,
      price: Number(row.price_cents) / 100,
      currency: row.currency,
      total_hours: row.total_hours,
      places: row.places,
      monthly_hours: row.monthly_hours_allocated,
      max_price_per_hour: row.max_hour_cents,
    },
    cost_of_all: Math.round((Number(row.price_cents) * row.monthly_hours_allocated) / row.total_hours) / 100,
    agreed: null,
    asked: false,
    handover: null,
    next_owner: null,
    shared_at: row.created_at,
    ended_at: null,
    monthly_hours_allocated: row.monthly_hours_allocated,
    current_usage: Math.round(row.used / 36) / 100,
    usage_this_month: Math.round(row.used / 36) / 100,
    active_session: row.active_since !== null,
    active_since: row.active_since,
    last_used_at: row.last_used_at,
    asset: { id: Number(row.asset_id), name: row.name, description: row.description, owner: row.owner },
  }));
  return { results, next: null };
}

/** @param {'start' | 'end'} what @param {number} share */
async function session(what, share) {
  const { rows } = await pool.query(statements[what], [share, user, new Date()]);
  const [row] = rows;
  if (!row) return undefined;
  return {
    id: Number(row.id),
    asset_name: row.name,
    start_time: row.started_at,
    end_time: row.ended_at,
    duration: row.ended_at && Math.round((row.ended_at - row.started_at) / 60_000),
  };
}

/** @param {string} path */
function answer(path) {
  const [, share, what] = /^\/api\/shared-assets\/(?:(\d+)\/(start|end)\/)?$/.exec(path) ?? [];
  return what === 'start' || what === 'end' ? session(what, Number(share)) : list();
}

const server = createServer((request, response) => {
  request.resume();
  answer(request.url ?? '').then(
    (found) => {
      const body = JSON.stringify(found ?? { error: 'no such session' });
      response.writeHead(found ? 200 : 409, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    },
    (error) => {
      console.error(error);
      response.writeHead(500).end();
    },
  );
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : ''}`);
});
process.on('SIGTERM', () => process.exit(0));
