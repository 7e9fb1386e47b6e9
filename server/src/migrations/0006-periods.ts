import { sql, type Kysely } from 'kysely';

// What an asset's months are made of moves from five places (prices, past split terms, past time zones, first open month,
// archive instants) into one row per month, and use from raw sessions into one row per share and day. The expressions
// that work months out of the old columns are written out here; nothing else needs them any more.

const dayStart = (midnight: string, zone: string) => `(case
  when ((${midnight} at time zone ${zone}) - interval '1 hour') at time zone ${zone} >= ${midnight}
  then (${midnight} at time zone ${zone}) - interval '1 hour'
  else ${midnight} at time zone ${zone}
end)`;

const seconds = (from: string, to: string) =>
  `greatest(0, floor(extract(epoch from ${to})) - floor(extract(epoch from ${from})))::bigint`;

/** The zone of the month of asset `a` that starts on a date. */
const zoneOf = (firstDay: string) => `coalesce((
  select zones.zone
  from jsonb_each_text(a.past_time_zones || jsonb_build_object('infinity', a.time_zone)) zones (before_month, zone)
  where zones.before_month::date > ${firstDay} order by zones.before_month::date limit 1
), a.time_zone)`;

const tables = [
  `create table periods (
    asset_id bigint not null references assets (id) on delete cascade,
    month date not null constraint periods_month check (extract(day from month) = 1),
    time_zone text not null,
    starts_at timestamptz not null,
    ends_at timestamptz not null,
    price_cents bigint not null constraint periods_price check (price_cents >= 0),
    price_since date not null,
    split_method text not null constraint periods_split_method check (split_method in ('usage', 'allocation', 'equal')),
    base_percent integer not null constraint periods_base_percent check (base_percent between 0 and 100),
    owner_hours integer not null constraint periods_owner_hours check (owner_hours between 0 and 744),
    partial boolean not null default false,
    asset_name text,
    closed_at timestamptz,
    primary key (asset_id, month),
    constraint periods_one_start unique (asset_id, starts_at),
    constraint periods_forward check (starts_at < ends_at),
    constraint periods_price_since check (price_since <= month and extract(day from price_since) = 1)
  )`,
  `create table usage_days (
    share_id bigint not null references shares (id) on delete cascade,
    day date not null,
    seconds integer not null constraint usage_days_seconds check (seconds >= 0),
    sessions integer not null constraint usage_days_sessions check (sessions >= 0),
    primary key (share_id, day)
  )`,
  `create table allowances (
    share_id bigint not null references shares (id) on delete cascade,
    since timestamptz not null,
    monthly_hours integer not null constraint allowances_monthly_hours check (monthly_hours between 1 and 744),
    primary key (share_id, since)
  )`,
];

/** Months from the one an asset was added in to the one after anything that is known of it; later ones follow on demand. */
const periods = `
  insert into periods (asset_id, month, time_zone, starts_at, ends_at, price_cents, price_since, split_method,
    base_percent, owner_hours)
  select id, month, zone,
    coalesce(lag(ends_at) over (partition by id order by month), ${dayStart('month::timestamp', 'zone')}), ends_at,
    price_cents, least(from_month, month), split_method, base_percent, owner_hours
  from (
    select a.id, m.month, z.zone, ${dayStart(`(m.month + interval '1 month')`, 'z.zone')} as ends_at,
      price.price_cents, price.from_month,
      coalesce(past.split_method, a.split_method) as split_method,
      coalesce(past.base_percent, a.base_percent) as base_percent,
      coalesce(past.owner_hours, a.owner_hours) as owner_hours
    from assets a
    cross join lateral (
      select greatest(
        a.first_open_month,
        (select max(from_month) from prices where asset_id = a.id),
        (select max(before_month) from past_split_terms where asset_id = a.id),
        (select max(past.before_month) from past_allocations past join shares sh on sh.id = past.share_id
          where sh.asset_id = a.id),
        (select max(zones.before_month::date) from jsonb_object_keys(a.past_time_zones) zones (before_month)),
        (select max(date_trunc('month', s.ends_by + interval '1 day'))::date
          from sessions s join shares sh on sh.id = s.share_id where sh.asset_id = a.id),
        (select max(date_trunc('month', coalesce(sh.ended_at, sh.created_at) + interval '1 day'))::date
          from shares sh where sh.asset_id = a.id)
      ) as last,
      least(
        a.first_open_month,
        (select min(from_month) from prices where asset_id = a.id),
        (select min(month) from statements where asset_id = a.id)
      ) as first
    ) known
    cross join lateral (
      select day::date as month
      from generate_series(known.first, known.last + interval '1 month', interval '1 month') day
    ) m
    cross join lateral (select ${zoneOf('m.month')} as zone offset 0) z
    cross join lateral (
      select price_cents, from_month from prices
      where asset_id = a.id
      order by from_month <= m.month desc, abs(from_month - m.month)
      limit 1
    ) price
    left join lateral (
      select * from past_split_terms where asset_id = a.id and before_month > m.month
      order by before_month limit 1
    ) past on true
  ) months`;

const marks = [
  `update periods p set closed_at = coalesce(
      (select closed_at from statements st where st.asset_id = p.asset_id and st.month = p.month), p.ends_at)
    from assets a where a.id = p.asset_id and p.month < a.first_open_month`,
  // A period is partial in which the asset was added, archived or restored. When a restored one had been archived is not
  // known, but the months it spent archived have no statement.
  `update periods p set partial = true
    from assets a
    where a.id = p.asset_id and (
      (a.created_at >= p.starts_at and a.created_at < p.ends_at
        and (a.created_at at time zone p.time_zone)::date > p.month)
      or (a.restored_at >= p.starts_at and a.restored_at < p.ends_at
        and (a.restored_at at time zone p.time_zone)::date > p.month)
      or (a.archived_at >= p.starts_at and a.archived_at < p.ends_at)
      or exists (
        select 1 from periods following
        where following.asset_id = p.asset_id and following.month = p.month + interval '1 month'
          and following.closed_at is not null
          and not exists (select 1 from statements st where st.asset_id = p.asset_id and st.month = following.month))
    )`,
];

const allowances = `
  insert into allowances (share_id, since, monthly_hours)
  select distinct on (id, since) id, since, monthly_hours
  from (
    select sh.id, sh.created_at as since, '-infinity'::date as before_month, coalesce((
      select past.monthly_hours_allocated from past_allocations past
      where past.share_id = sh.id order by past.before_month limit 1
    ), sh.monthly_hours_allocated) as monthly_hours
    from shares sh
    union all
    select sh.id, greatest(sh.created_at + interval '1 microsecond', p.starts_at), past.before_month, coalesce(
      lead(past.monthly_hours_allocated) over (partition by sh.id order by past.before_month),
      sh.monthly_hours_allocated)
    from past_allocations past
    join shares sh on sh.id = past.share_id
    join periods p on p.asset_id = sh.asset_id and p.month = past.before_month
  ) held
  order by id, since, before_month desc`;

const usage = `
  insert into usage_days (share_id, day, seconds, sessions)
  select share_id, greatest(month, day::date),
    sum(${seconds('greatest(from_instant, begins)', 'least(to_instant, ends)')}),
    count(*) filter (where begins <= from_instant and from_instant < ends)
  from (
    select s.share_id, p.month, p.time_zone as zone,
      greatest(s.started_at, p.starts_at) as from_instant, least(s.ended_at, p.ends_at) as to_instant
    from sessions s
    join shares sh on sh.id = s.share_id
    join periods p on p.asset_id = sh.asset_id and p.ends_at > s.started_at
      and (p.starts_at < s.ended_at or p.starts_at <= s.started_at)
    where s.ended_at is not null
  ) part
  cross join lateral generate_series(
    date_trunc('day', from_instant at time zone zone),
    date_trunc('day', to_instant at time zone zone) + interval '1 day',
    interval '1 day'
  ) local (day)
  cross join lateral (
    select ${dayStart('local.day', 'zone')} as begins, ${dayStart(`(local.day + interval '1 day')`, 'zone')} as ends offset 0
  ) bounds
  where begins < to_instant and ends > from_instant or begins <= from_instant and from_instant < ends
  group by share_id, greatest(month, day::date)`;

const leftovers = [
  `create index periods_due on periods (ends_at) where closed_at is null`,
  `drop index assets_first_open_month`,
  `alter table assets drop column first_open_month, drop column past_time_zones, drop column restored_at,
    drop column time_zone, drop column split_method, drop column base_percent, drop column owner_hours`,
  `drop table prices`,
  `drop table past_split_terms`,
  `drop table past_allocations`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...tables, periods, ...marks, allowances, usage, ...leftovers])
    await sql.raw(statement).execute(db);
}
