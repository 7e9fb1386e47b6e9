-- belongsTo(a, user)
a.owner_id = {user}

-- isOwnedBy(a, user)
(a.owner_id = {user} and a.deleted_at is null)

-- isCoManagedBy(a, user)
exists (
  select 1 from shares managing
  where managing.asset_id = a.id and managing.member_id = {user} and managing.manager_since is not null
    and managing.ended_at is null)

-- actsFor(a, user, p.owner_id)
(p.owner_id = {user} or (p.owner_id = a.owner_id and «isCoManagedBy(a, user)»))

-- isKeptFor(a, user)
(a.deleted_at is null or a.owner_id <> {user})

-- belongsToManager(a, user)
(a.owner_id = {user} or «isCoManagedBy(a, user)»)

-- isManagedBy(a, user)
(«belongsToManager(a, user)» and a.deleted_at is null)

-- termColumnNames
split_method, base_percent, owner_hours, max_session_hours, max_hour_cents, extra_cost_cents, owner_takes_part, measured, max_hour_chosen

-- termColumns(p)
p.split_method, p.base_percent, p.owner_hours, p.max_session_hours, p.max_hour_cents, p.extra_cost_cents, p.owner_takes_part, p.measured, p.max_hour_chosen

-- termValues({split_method:share_of_use,base_percent:1,owner_hours:2,max_session_hours:3,max_hour_cents:4,extra_cost_cents:5,owner_takes_part:true,measured:true,max_hour_chosen:true})
{share_of_use}, {1}, {2}, {3}, {4}, {5}, {true}, {true}, {true}

-- periodAt(a, instant)
lateral (
  (select * from periods where asset_id = a.id and starts_at <= instant order by starts_at desc limit 1)
  union all
  (select * from periods where asset_id = a.id order by starts_at limit 1)
  limit 1
)

-- currentPeriod(a, now)
lateral (
  (select * from periods where asset_id = a.id and starts_at <= {now}::timestamptz order by starts_at desc limit 1)
  union all
  (select * from periods where asset_id = a.id order by starts_at limit 1)
  limit 1
)

-- hasOwned(a, user)
(a.owner_id = {user} or exists (select 1 from periods own where own.asset_id = a.id and own.owner_id = {user}))

-- ownerDuring(a, condition)
(
  select case when count(*) = 0 then a.owner_id else max(own.owner_id) end
  from periods own where own.asset_id = a.id and condition)

-- ownerAt(a, {now}::timestamptz)
(
  select case when count(*) = 0 then a.owner_id else max(own.owner_id) end
  from periods own where own.asset_id = a.id and own.starts_at <= {now}::timestamptz and own.ends_at > {now}::timestamptz)

-- ownedTimes(a, user)
(
  select coalesce(range_agg(tstzrange(
    nullif(own.starts_at, (select min(starts_at) from periods where asset_id = a.id)), own.ends_at)), '{}')
  from periods own where own.asset_id = a.id and (own.owner_id = {user} or (own.owner_id = a.owner_id and «isCoManagedBy(a, user)»)))

-- priceInForce(asset, now)
(select p.price_since from assets a cross join «currentPeriod(a, now)» p where a.id = {asset})

-- sharedDuringPeriod(sh, p)
(sh.accepted_at < p.ends_at and (sh.ended_at is null or sh.ended_at > p.starts_at))

-- canAnswer(sh)
(not exists (select 1 from users where id = sh.member_id and (email is null or disabled_at is not null)))

-- isDayOfPeriod(p, d.day)
d.day >= p.month and d.day < p.month + interval '1 month'

-- dateInPeriod(p, {now}::timestamptz)
greatest(p.month, ({now}::timestamptz at time zone p.time_zone)::date)

-- closesAt(p)
(p.ends_at + make_interval(hours => {72}::int))

-- isDue(p, now)
(p.closed_at is null and p.ends_at <= {now}::timestamptz - make_interval(hours => {72}::int))

-- archivedThroughout(a, p)
exists (
  select 1 from archivals each
  where each.asset_id = a.id and each.since <= p.starts_at and (each.until is null or each.until >= p.ends_at)
)

-- nextTerms(p, next)
case when next.month is not null and (p.split_method, p.base_percent, p.owner_hours, p.max_session_hours, p.max_hour_cents, p.extra_cost_cents, p.owner_takes_part, p.measured) is distinct from (next.split_method, next.base_percent, next.owner_hours, next.max_session_hours, next.max_hour_cents, next.extra_cost_cents, next.owner_takes_part, next.measured)
    then json_build_object('from_month', to_char(next.month, 'YYYY-MM'), 'split_method', next.split_method, 'base_percent', next.base_percent, 'owner_hours', next.owner_hours, 'max_session_hours', next.max_session_hours, 'max_hour_cents', next.max_hour_cents, 'extra_cost_cents', next.extra_cost_cents, 'owner_takes_part', next.owner_takes_part, 'measured', next.measured) end

-- pricePerCycle(p)
coalesce(p.cycle_cents, p.price_cents)

-- nextPrice(a, p)
(
  select json_build_object('from_month', to_char(later.month, 'YYYY-MM'), 'price_cents', coalesce(later.cycle_cents, later.price_cents))
  from periods later
  where later.asset_id = a.id and later.month > p.month and coalesce(later.cycle_cents, later.price_cents) <> coalesce(p.cycle_cents, p.price_cents)
  order by later.month limit 1
)

-- renewalIn(p)
(
  select json_build_object('on', known.renews_on, 'decision', known.decision,
    'votes', coalesce((
      select json_agg(json_build_object('username', u.username, 'choice', v.choice, 'line', v.line) order by v.voted_at, v.user_id)
      from renewal_votes v join users u on u.id = v.user_id
      where v.asset_id = p.asset_id and v.renews_on = known.renews_on
    ), '[]'))
  from (
    select renews_on, d.decision,
      case when d.decision = 'canceled' or renews_on = ending.ends_on then renews_on - 1 else renews_on end as last_day
    from (
      select renews_on from renewal_votes where asset_id = p.asset_id
      union select renews_on from renewal_decisions where asset_id = p.asset_id
    ) named
    left join (select * from renewal_decisions where asset_id = p.asset_id) d using (renews_on)
    join assets ending on ending.id = p.asset_id
  ) known
  where known.last_day >= p.month and known.last_day < p.month + interval '1 month'
  order by known.decision is null, known.renews_on desc limit 1
)

-- priceChanges(p)
coalesce((
  select jsonb_agg(jsonb_build_object(
    'changed_at', each.changed_at, 'from_cents', each.from_cents, 'to_cents', each.to_cents
  ) order by each.id)
  from price_changes each where each.asset_id = p.asset_id and each.month = p.month
), '[]')

-- currentMonth(asset, now)
(
  select p.month from assets a cross join «currentPeriod(a, now)» p where a.id = {asset})

-- termsOf(following)
json_build_object('method', following.split_method,
  'basePercent', following.base_percent, 'ownerHours', following.owner_hours,
  'maxSessionHours', following.max_session_hours, 'maxHourCents', following.max_hour_cents,
  'maxHourChosen', following.max_hour_chosen, 'extraCostCents', following.extra_cost_cents,
  'ownerTakesPart', following.owner_takes_part, 'measured', following.measured)

-- hasPlanEnded(a, now)
(
  a.ends_on <= {2026-03-16}::date and a.archived_at is null and a.deleted_at is null and (
    select (case
    when ((a.ends_on::timestamp at time zone p.time_zone) - interval '1 hour') at time zone p.time_zone >= a.ends_on::timestamp
    then (a.ends_on::timestamp at time zone p.time_zone) - interval '1 hour'
    else a.ends_on::timestamp at time zone p.time_zone
  end) <= {now}::timestamptz
    from «currentPeriod(a, now)» p))

-- offerExpiry(sh)
(sh.created_at + make_interval(days => {14}::int))

-- isAgreedShare(sh)
(sh.accepted_at is not null or sh.promised_at is not null)

-- isExpiredOffer(sh, now)
(not (sh.accepted_at is not null or sh.promised_at is not null) and sh.ended_at is null and (sh.created_at + make_interval(days => {14}::int)) <= {now}::timestamptz)

-- isOpenShare(sh, now)
(sh.ended_at is null and ((sh.accepted_at is not null or sh.promised_at is not null) or (sh.created_at + make_interval(days => {14}::int)) > {now}::timestamptz))

-- accessFrom(a, sh, now)
greatest({now}::timestamptz, (
  select starts_at from periods where asset_id = a.id and month = sh.starts_on))

-- periodOfAccess(a, sh, now)
lateral (
  (select * from periods where asset_id = a.id and starts_at <= «accessFrom(a, sh, now)» order by starts_at desc limit 1)
  union all
  (select * from periods where asset_id = a.id order by starts_at limit 1)
  limit 1
)

-- startsLater(a, sh, now)
(
  select month from periods
  where asset_id = a.id and month = sh.starts_on and starts_at > {now}::timestamptz)

-- pricing(a, p)
coalesce(p.cycle_cents, p.price_cents) as price_cents, p.plan, a.currency, p.split_method, p.base_percent, p.owner_hours, «nextPrice(a, p)» as next_price,
  (
    select «nextTerms(p, next)» from periods next
    where next.asset_id = a.id and next.month = (p.month + interval '1 month')::date
  ) as next_terms

-- isUnconfirmed(sh)
(case when sh.accepted_at is null then not sh.counted else exists (
  select 1 from (select * from allowances where share_id = sh.id order by since desc limit 1) last
  where last.counted_hours < last.monthly_hours) end)

-- memberCount(a)
(
  select count(*) from shares each
  where each.asset_id = a.id and not each.own and each.ended_at is null and each.accepted_at is not null
)::int

-- isOpenInvitation(a, i, now)
(i.expires_at > {now}::timestamptz and (
  i.maker_id = a.owner_id or exists (
    select 1 from shares making
    where making.asset_id = a.id and making.member_id = i.maker_id and making.manager_since <= i.created_at
      and making.ended_at is null)))

-- accessOnDay(a, p, day)
(
  select sh.member_id, max(agreed_hours)::int as hours
  from shares sh cross join lateral (
    select monthly_hours, agreed_hours, counted_hours, tstzrange(since, lead(since) over (order by since)) as during
    from allowances where share_id = sh.id
  ) held
  cross join lateral unnest(
    tstzmultirange(held.during * tstzrange(sh.accepted_at, sh.ended_at) * tstzrange(p.starts_at, p.ends_at))
    - coalesce(
      (select range_agg(tstzrange(since, until)) from archivals where asset_id = sh.asset_id), '{}'::tstzmultirange
    )
  ) piece
  where sh.asset_id = a.id and not sh.own and «sharedDuringPeriod(sh, p)»
    and day between case when lower(piece) <= p.starts_at then p.month else greatest(p.month, (lower(piece) at time zone p.time_zone)::date) end and least((p.month + interval '1 month')::date - 1, greatest(p.month, ((upper(piece) - interval '1 microsecond') at time zone p.time_zone)::date))
  group by sh.member_id
)

-- accessInPeriod(p, condition)
lateral (
  select count(*)::int as days, coalesce(sum(hours), 0)::int as summed_hours
  from (
    select day, max(agreed_hours) as hours
    from shares sh cross join lateral (
    select monthly_hours, agreed_hours, counted_hours, tstzrange(since, lead(since) over (order by since)) as during
    from allowances where share_id = sh.id
  ) held
  cross join lateral unnest(
    tstzmultirange(held.during * tstzrange(sh.accepted_at, sh.ended_at) * tstzrange(p.starts_at, p.ends_at))
    - coalesce(
      (select range_agg(tstzrange(since, until)) from archivals where asset_id = sh.asset_id), '{}'::tstzmultirange
    )
  ) piece
    cross join lateral generate_series(
      (case when lower(piece) <= p.starts_at then p.month else greatest(p.month, (lower(piece) at time zone p.time_zone)::date) end)::timestamp,
      (least((p.month + interval '1 month')::date - 1, greatest(p.month, ((upper(piece) - interval '1 microsecond') at time zone p.time_zone)::date)))::timestamp,
      interval '1 day'
    ) day
    where condition and «sharedDuringPeriod(sh, p)»
    group by day
  ) by_day
)

-- fullestMoment(a, p)
lateral (
  select p.owner_hours + coalesce(max(hours), 0)::int as total_hours, 1 + coalesce(max(members), 0)::int as places
  from (
    select sum(sum(hours)) over (order by at) as hours, sum(sum(members)) over (order by at) as members
    from shares sh cross join lateral (
    select monthly_hours, agreed_hours, counted_hours, tstzrange(since, lead(since) over (order by since)) as during
    from allowances where share_id = sh.id
  ) held
  cross join lateral unnest(
    tstzmultirange(held.during * tstzrange(sh.accepted_at, sh.ended_at) * tstzrange(p.starts_at, p.ends_at))
    - coalesce(
      (select range_agg(tstzrange(since, until)) from archivals where asset_id = sh.asset_id), '{}'::tstzmultirange
    )
  ) piece
    cross join lateral (values
      (lower(piece), counted_hours, sign(counted_hours)), (upper(piece), -counted_hours, -sign(counted_hours))
    ) change (at, hours, members)
    where sh.asset_id = a.id and not sh.own and «sharedDuringPeriod(sh, p)»
    group by at
  ) levels
)

-- presentLevel(a, p)
lateral (
  select coalesce(sum(latest.counted_hours), 0)::int as hours,
    (count(*) filter (where latest.counted_hours > 0))::int as members,
    coalesce(bool_or(
      each.accepted_at > p.starts_at or each.ended_at is not null or latest.since > p.starts_at
    ), false) as changes
  from shares each
  cross join lateral (
    select since, counted_hours from allowances where share_id = each.id order by since desc limit 1
  ) latest
  where each.asset_id = a.id and not each.own and (each.accepted_at < p.ends_at and (each.ended_at is null or each.ended_at > p.starts_at))
)

-- mayManageShare(a, sh, user)
(
  a.owner_id = {user} or «isCoManagedBy(a, user)» and not sh.own and not exists (
  select 1 from shares managing
  where managing.asset_id = a.id and managing.member_id = sh.member_id and managing.manager_since is not null
    and managing.ended_at is null)
    and not exists (select 1 from users where id = sh.member_id and host_id is not null))

-- isShareOfMember(sh, {shareId:share,memberId:user}, now)
sh.id = {share} and sh.member_id = {user} and «isOpenShare(sh, now)»

-- isOpenShareOf(sh, {userId:user,assetId:asset,shareId:share}, now, condition)
sh.id = {share} and not sh.own and «isOpenShare(sh, now)» and sh.asset_id = {asset}
  and exists (select 1 from assets a where a.id = sh.asset_id and condition)

-- isManageableShare(sh, {userId:user,assetId:asset,shareId:share}, now)
sh.id = {share} and not sh.own and «isOpenShare(sh, now)» and sh.asset_id = {asset}
  and exists (select 1 from assets a where a.id = sh.asset_id and a.deleted_at is null and «mayManageShare(a, sh, user)»)

-- metersOf(a)
(
  select coalesce(json_agg(json_build_object('id', m.id, 'name', m.name, 'kind', m.kind) order by m.id), '[]')
  from meters m where m.asset_id = a.id
)

-- countedBy(sh, now)
(
  select m.name from meter_members member join meters m on m.id = member.meter_id
  where member.share_id = sh.id and member.agreed and member.changed_at <= {now}::timestamptz and m.kind = 'totals'
  order by m.id limit 1
)

-- termsAsJson(terms)
json_build_object('method', terms.split_method, 'basePercent', terms.base_percent,
    'priceCents', terms.price_cents, 'totalHours', terms.total_hours, 'places', terms.places,
    'monthlyHours', terms.monthly_hours, 'maxHourCents', terms.max_hour_cents, 'plan', terms.plan,
    'extraCostCents', terms.extra_cost_cents)

-- termsAt(p, sh, {totalHours:{},places:{}})
p.split_method, p.base_percent, case when p.unbilled then 0 else coalesce(p.cycle_cents, p.price_cents) end as price_cents, p.plan,
  1 as total_hours, 1 as places, sh.monthly_hours_allocated as monthly_hours, p.max_hour_cents,
  p.extra_cost_cents

-- shownTerms(a, p, sh)
lateral (
  select p.split_method, p.base_percent, case when p.unbilled then 0 else coalesce(p.cycle_cents, p.price_cents) end as price_cents, p.plan,
  case when offered.counts then greatest(fullest.total_hours, p.owner_hours + others.hours + sh.monthly_hours_allocated)
      else fullest.total_hours end as total_hours, case when offered.counts then greatest(fullest.places, 2 + others.members) else fullest.places end as places, sh.monthly_hours_allocated as monthly_hours, p.max_hour_cents,
  p.extra_cost_cents
  from (select sh.accepted_at is null and sh.counted as counts) offered
  cross join «fullestMoment(a, p)» fullest
  cross join lateral (
    select coalesce(sum(latest.counted_hours), 0)::int as hours, (count(*) filter (where latest.counted_hours > 0))::int as members
    from shares other cross join lateral (
      select counted_hours from allowances where share_id = other.id order by since desc limit 1
    ) latest
    where offered.counts and other.asset_id = a.id and not other.own and other.accepted_at is not null and other.ended_at is null
  ) others
)

-- lastAgreement(a, p, each)
lateral (
  select terms.agreed_at, «termsAsJson(terms)» as terms
  from shares agreeing join agreements terms on terms.share_id = agreeing.id and terms.agreed_at < p.ends_at
  where agreeing.asset_id = a.id and agreeing.member_id = each.member_id and agreeing.accepted_at is not null
  order by terms.agreed_at desc, terms.id desc
  limit 1
)

-- agreedOfShare(sh)
(
  select json_build_object('method', known.split_method, 'basePercent', known.base_percent,
    'priceCents', known.price_cents, 'totalHours', known.total_hours, 'places', known.places,
    'monthlyHours', known.monthly_hours, 'maxHourCents', known.max_hour_cents, 'plan', known.plan,
    'extraCostCents', known.extra_cost_cents) from (
    select terms.split_method, terms.base_percent, terms.price_cents, terms.plan, terms.total_hours, terms.places, terms.max_hour_cents, terms.extra_cost_cents,
      (select agreed_hours from allowances where share_id = sh.id order by since desc limit 1) as monthly_hours
    from agreements terms where terms.share_id = sh.id and terms.agreed_at is not null
    order by terms.agreed_at desc, terms.id desc limit 1
  ) known)

-- shownByOffer(a, sh)
(
  select «termsAsJson(terms)» from agreements terms
  where terms.share_id = sh.id and terms.agreed_at is null and terms.currency = a.currency)

-- lastVersion(c)
lateral (
  select * from cost_versions where cost_id = c.id order by version desc limit 1
)

-- hasProposals(p)
exists (
  select 1 from costs c
  where c.asset_id = p.asset_id and c.month = p.month and c.status = 'proposed'
    and c.author_id is distinct from p.owner_id
)

-- costsOfPeriod(a, p)
lateral (
  select coalesce(json_agg(json_build_object(
    'id', c.id, 'version', v.version, 'status', c.status, 'day', v.day, 'text', v.text, 'cents', v.amount_cents, 'split', v.split,
    'payerId', (select coalesce(former_id, id) from users where id = v.payer_id), 'personId', (select coalesce(former_id, id) from users where id = v.person_id), 'authorId', (select coalesce(former_id, id) from users where id = c.author_id),
    'access', (
      select coalesce(json_agg(json_build_object('userId', (select coalesce(former_id, id) from users where id = held.member_id), 'hours', held.hours)), '[]')
      from (
  select sh.member_id, max(agreed_hours)::int as hours
  from shares sh cross join lateral (
    select monthly_hours, agreed_hours, counted_hours, tstzrange(since, lead(since) over (order by since)) as during
    from allowances where share_id = sh.id
  ) held
  cross join lateral unnest(
    tstzmultirange(held.during * tstzrange(sh.accepted_at, sh.ended_at) * tstzrange(paid.starts_at, paid.ends_at))
    - coalesce(
      (select range_agg(tstzrange(since, until)) from archivals where asset_id = sh.asset_id), '{}'::tstzmultirange
    )
  ) piece
  where sh.asset_id = a.id and not sh.own and (sh.accepted_at < paid.ends_at and (sh.ended_at is null or sh.ended_at > paid.starts_at))
    and v.day between case when lower(piece) <= paid.starts_at then paid.month else greatest(paid.month, (lower(piece) at time zone paid.time_zone)::date) end and least((paid.month + interval '1 month')::date - 1, greatest(paid.month, ((upper(piece) - interval '1 microsecond') at time zone paid.time_zone)::date))
  group by sh.member_id
) held
    ),
    'answers', (
      select coalesce(json_agg(json_build_object('userId', (select coalesce(former_id, id) from users where id = answered.user_id), 'answer', answered.answer, 'agreedCents', answered.agreed_cents)), '[]')
      from cost_answers answered where answered.cost_id = c.id and answered.version = v.version
    )
  ) order by c.id), '[]') as list
  from costs c cross join «lastVersion(c)» v
  join periods paid on paid.asset_id = c.asset_id and paid.month = date_trunc('month', v.day)::date
  where c.asset_id = a.id and c.month = p.month and c.status in ('proposed', 'counted')
)

-- termsToAgree(a, p, h)
jsonb_build_object('price_cents', coalesce(p.cycle_cents, p.price_cents), 'plan', p.plan, 'currency', a.currency,
  'split_method', p.split_method, 'base_percent', p.base_percent, 'owner_hours', (select monthly_hours_allocated from shares where id = h.share_id),
  'max_session_hours', p.max_session_hours, 'max_hour_cents', p.max_hour_cents, 'owner_takes_part', p.owner_takes_part,
  'measured', p.measured, 'time_zone', p.time_zone, 'next_price', «nextPrice(a, p)»)

-- isAcceptedFor(a, p, h)
(h.month = p.month and h.agreed = «termsToAgree(a, p, h)»)

-- isHandoverDue(a, now)
exists (
  select 1 from handovers h join periods p on p.asset_id = h.asset_id and «isAcceptedFor(a, p, h)»
  where h.asset_id = a.id and p.starts_at <= {now}::timestamptz)

-- isExpiredHandover(a, h, now)
((h.offered_at + make_interval(days => {14}::int)) <= {now}::timestamptz and not exists (
  select 1 from periods p where p.asset_id = a.id and p.month = h.month and «isAcceptedFor(a, p, h)»))

-- isHandedOver(a)
exists (
  select 1 from handovers any_h where any_h.asset_id = a.id)

-- handoverOfAsset(a, p, now)
case when «isHandedOver(a)» then (
  select json_build_object('username', u.username, 'accepted', state.accepted, 'from_month', to_char(state.from_month, 'YYYY-MM'),
  'stay_hours', h.stay_hours, 'expires_at', case when not state.accepted then (h.offered_at + make_interval(days => {14}::int)) end) from handovers h
  join shares to_share on to_share.id = h.share_id and to_share.ended_at is null
  join users u on u.id = to_share.member_id
  cross join lateral (select exists (
  select 1 from periods p where p.asset_id = a.id and p.month = h.month and «isAcceptedFor(a, p, h)») as accepted) known
  cross join lateral (
    select known.accepted, case when known.accepted then h.month else (p.month + interval '1 month')::date end as from_month
  ) state
  where h.asset_id = a.id and (state.accepted or (h.offered_at + make_interval(days => {14}::int)) > {now}::timestamptz)) end

-- handoverToShare(a, p, sh, now)
(
  select (
    select jsonb_build_object('accepted', state.accepted, 'from_month', to_char(state.from_month, 'YYYY-MM'),
  'stay_hours', h.stay_hours, 'expires_at', case when not state.accepted then (h.offered_at + make_interval(days => {14}::int)) end) || «termsToAgree(a, p, h)» || jsonb_build_object(
      'offered_at', h.offered_at,
      'members', (
        -- people without an account leave with the owner who added them
        select count(*) from shares each join users m on m.id = each.member_id
        where each.asset_id = a.id and not each.own and each.id <> to_share.id and each.ended_at is null and each.accepted_at is not null
          and m.email is not null
      ) + case when h.stay_hours is null then 0 else 1 end)
    from periods p where p.asset_id = a.id and p.month = state.from_month
  )
  from handovers h
  join shares to_share on to_share.id = h.share_id and to_share.ended_at is null
  join users u on u.id = to_share.member_id
  cross join lateral (select exists (
  select 1 from periods p where p.asset_id = a.id and p.month = h.month and «isAcceptedFor(a, p, h)») as accepted) known
  cross join lateral (
    select known.accepted, case when known.accepted then h.month else (p.month + interval '1 month')::date end as from_month
  ) state
  where h.asset_id = a.id and (state.accepted or (h.offered_at + make_interval(days => {14}::int)) > {now}::timestamptz) and to_share.id = sh.id)

-- nextOwner(a, p, now)
(
  select json_build_object('username', u.username, 'from_month', to_char(state.from_month, 'YYYY-MM'))
  from handovers h
  join shares to_share on to_share.id = h.share_id and to_share.ended_at is null
  join users u on u.id = to_share.member_id
  cross join lateral (select exists (
  select 1 from periods p where p.asset_id = a.id and p.month = h.month and «isAcceptedFor(a, p, h)») as accepted) known
  cross join lateral (
    select known.accepted, case when known.accepted then h.month else (p.month + interval '1 month')::date end as from_month
  ) state
  where h.asset_id = a.id and (state.accepted or (h.offered_at + make_interval(days => {14}::int)) > {now}::timestamptz) and state.accepted)

-- sessionEnd(s, now)
coalesce(s.ended_at, case when s.ends_by <= {now}::timestamptz then s.alive_at end, s.ends_by)

-- cutIntoDays(ended)
(
  select part.share_id, least(greatest(p.month, local.day::date), (p.month + interval '1 month')::date - 1) as day,
    sum(greatest(0, floor(extract(epoch from least(part.ended_at, bounds.ends_at))) - floor(extract(epoch from greatest(part.started_at, bounds.starts_at))))::bigint)::int
      as seconds,
    (count(*) filter (where bounds.starts_at <= part.started_at and part.started_at < bounds.ends_at))::int as sessions
  from ended stretch
  join periods p on p.asset_id = stretch.asset_id and p.ends_at > stretch.started_at
    and (p.starts_at < stretch.ended_at or p.starts_at <= stretch.started_at)
  cross join lateral (
    select stretch.share_id, greatest(stretch.started_at, p.starts_at) as started_at,
      least(stretch.ended_at, p.ends_at) as ended_at
    offset 0
  ) part
  cross join lateral generate_series(
    date_trunc('day', (part.started_at at time zone p.time_zone)),
    date_trunc('day', (part.ended_at at time zone p.time_zone)) + interval '1 day',
    interval '1 day'
  ) local (day)
  cross join lateral (
    select (case
    when ((local.day at time zone p.time_zone) - interval '1 hour') at time zone p.time_zone >= local.day
    then (local.day at time zone p.time_zone) - interval '1 hour'
    else local.day at time zone p.time_zone
  end) as starts_at,
      (case
    when (((local.day + interval '1 day') at time zone p.time_zone) - interval '1 hour') at time zone p.time_zone >= (local.day + interval '1 day')
    then ((local.day + interval '1 day') at time zone p.time_zone) - interval '1 hour'
    else (local.day + interval '1 day') at time zone p.time_zone
  end) as ends_at
    offset 0
  ) bounds
  where bounds.starts_at < part.ended_at and bounds.ends_at > part.started_at
    or bounds.starts_at <= part.started_at and part.started_at < bounds.ends_at
  group by part.share_id, least(greatest(p.month, local.day::date), (p.month + interval '1 month')::date - 1)
)

-- addUse(ended)
insert into usage_days as known (share_id, day, seconds, sessions)
  select share_id, day, seconds, sessions from «cutIntoDays(ended)» cut
  order by share_id, day
  on conflict (share_id, day) do update
  set seconds = known.seconds + excluded.seconds, sessions = known.sessions + excluded.sessions

-- subtractUse(ended)
update usage_days known
  set seconds = known.seconds - cut.seconds, sessions = known.sessions - cut.sessions
  from «cutIntoDays(ended)» cut
  where known.share_id = cut.share_id and known.day = cut.day

-- changeDay({shareId:share,day:2026-03-10,before:60,after:90})
insert into usage_days as known (share_id, day, seconds, sessions)
  values ({share}, {2026-03-10}::date, {90}, {1})
  on conflict (share_id, day) do update
  set seconds = known.seconds + {30}::int,
    sessions = known.sessions + {0}::int

-- usedInPeriod(sh, p, now)
lateral (
  select (
      coalesce((select sum(d.seconds) from usage_days d where d.share_id = sh.id and d.day >= p.month and d.day < p.month + interval '1 month'), 0)
      -- greatest and least skip nulls, so this needs a case
      + case when s.id is null then 0 else greatest(0, floor(extract(epoch from least(
  «sessionEnd(s, now)», p.ends_at, {now}::timestamptz))) - floor(extract(epoch from greatest(s.started_at, p.starts_at))))::bigint end
    )::bigint as seconds,
    case when s.ends_by > {now}::timestamptz then s.started_at end as active_since
  from (values (1)) one (row)
  left join sessions s on s.share_id = sh.id and s.ended_at is null
)

-- recordedParts(p, now)
select s.source, s.meter_id, greatest(0, floor(extract(epoch from least(
  «sessionEnd(s, now)», p.ends_at, {now}::timestamptz))) - floor(extract(epoch from greatest(s.started_at, p.starts_at))))::bigint as seconds
  from sessions s
  where s.share_id = sh.id and s.source <> 'pressed' and s.started_at < p.ends_at
    and «sessionEnd(s, now)» > p.starts_at
  union all
  select 'metered', d.meter_id, d.seconds from metered_days d
  where d.share_id = sh.id and d.day >= p.month and d.day < p.month + interval '1 month'

-- recordedInPeriod(sh.member_id = each.member_id, p, now)
lateral (
  select coalesce(json_agg(each order by each.seconds desc, each.source, each.meter), '[]') as list
  from (
    select part.source, m.name as meter, sum(part.seconds)::bigint as seconds
    from shares sh cross join lateral (
  «recordedParts(p, now)») part left join meters m on m.id = part.meter_id
    where sh.member_id = each.member_id
    group by part.source, m.name
  ) each
  where each.seconds > 0
)

-- isUsed(a)
exists (
  select from (select id from shares where asset_id = a.id and not own offset 0) used_share
  where exists (select 1 from sessions s where s.share_id = used_share.id)
    or exists (select 1 from metered_days d where d.share_id = used_share.id)
)

-- lastUsedAt(sh, now)
greatest((
  select «sessionEnd(s, now)» from sessions s
  where s.share_id = sh.id and (s.ended_at is not null or s.ends_by <= {now}::timestamptz)
  order by s.started_at desc, s.id desc
  limit 1
), (
  select d.last_at from metered_days d
  where d.share_id = sh.id and d.seconds > 0
  order by d.day desc, d.id desc
  limit 1
))

-- firstPeriodOf(a.id, s.started_at)
(
  select * from periods each
  where each.asset_id = a.id and each.starts_at <= s.started_at and each.ends_at > s.started_at
)

-- disputedPeriod({assetId:{},recorded:{},counted:{}})
lateral (
  select each.*
  from periods each
  cross join lateral (
    select recorded * tstzrange(each.starts_at, each.ends_at) as recorded,
      counted * tstzrange(each.starts_at, each.ends_at) as counted
  ) part
  where each.asset_id = a.id and each.closed_at is null and part.recorded <> part.counted
  order by part.recorded <@ part.counted, each.starts_at
  limit 1
)

-- objectionsEnd(p)
((p.ends_at + make_interval(hours => {72}::int)) - make_interval(hours => {24}::int))

-- isAccepted(s.id, s.edited_at)
exists (
    select 1 from edit_requests r where r.session_id = s.id and r.status = 'accepted' and r.resolved_at >= s.edited_at)

-- lastObjection(a, page)
(
  select json_build_object(
    'status', ob.status, 'objected_at', ob.objected_at, 'username', coalesce(objector.username, owner.username),
    'messages', (
      select coalesce(json_agg(json_build_object(
        'username', case when msg.by_owner then coalesce(author.username, participant.username, owner.username)
          else page.username end, 'text', msg.text, 'at', msg.sent_at
      ) order by msg.id), '[]')
      from objection_messages msg left join users author on author.id = msg.manager_id where msg.objection_id = ob.id
    )
  )
  from objections ob cross join lateral (select (
  select coalesce(
    (select username from users where id = (
  select case when count(*) = 0 then a.owner_id else max(own.owner_id) end
  from periods own where own.asset_id = a.id and own.starts_at <= coalesce(page.was_started_at, page.started_at) and own.ends_at > coalesce(page.was_started_at, page.started_at))),
    (select owner_name from statements st join (
  select * from periods each
  where each.asset_id = a.id and each.starts_at <= coalesce(page.was_started_at, page.started_at) and each.ends_at > coalesce(page.was_started_at, page.started_at)
) p
      on st.asset_id = p.asset_id and st.month = p.month))
) as username) owner
  left join users participant on participant.id = ob.participant_id
  left join users objector on objector.id = coalesce(ob.participant_id, ob.manager_id)
  where ob.session_id = page.id
  order by ob.status = 'open' desc, ob.id desc limit 1
)

-- whoAccepts(r, now)
(
  select u.id, u.username
  from shares asked
  join users m on m.id = asked.member_id
  join periods p on p.asset_id = asked.asset_id and p.month = r.month
  cross join lateral (
    select p.owner_id as id
    union
    select used.member_id
    from shares used
    cross join lateral (
      select least(p.price_cents, min(from_cents)) as cents from price_changes
      where asset_id = p.asset_id and month = p.month
    ) lowest
    cross join lateral (
      select sum(d.seconds) as seconds from shares each join usage_days d on d.share_id = each.id and d.day >= p.month and d.day < p.month + interval '1 month'
      where each.asset_id = p.asset_id and (not each.own or p.owner_takes_part)
    ) everyone
    where p.split_method = 'share_of_use' and used.asset_id = p.asset_id and exists (
      select 1 from sessions s
      where s.share_id = used.id and s.started_at < p.ends_at
        and «sessionEnd(s, now)» > greatest(p.starts_at, s.started_at)
      union all
      select 1 from metered_days d where d.share_id = used.id and d.seconds > 0 and d.day >= p.month and d.day < p.month + interval '1 month')
      and (lowest.cents - (lowest.cents * p.base_percent + 50) / 100) * 3600 < everyone.seconds * least(p.max_hour_cents, (
        select case when terms.split_method = 'share_of_use' and terms.base_percent = p.base_percent then terms.max_hour_cents end
        from shares agreeing join agreements terms on terms.share_id = agreeing.id and terms.agreed_at < p.ends_at
        where agreeing.asset_id = p.asset_id and agreeing.member_id = used.member_id and agreeing.accepted_at is not null
        order by terms.agreed_at desc, terms.id desc limit 1))
  ) each
  join users u on u.id = each.id and (u.id = p.owner_id or u.email is not null and u.disabled_at is null)
  where asked.id = r.share_id and u.id <> coalesce(m.host_id, m.id)
)

-- lastRequest(page, now)
(
  select json_build_object('status', r.status, 'requested_at', r.requested_at, 'started_at', r.started_at, 'ended_at', r.ended_at, 'waits_for', (
    select coalesce(json_agg(who.username order by lower(who.username)), '[]') from «whoAccepts(r, now)» who
  where r.status = 'open' and not exists (
    select 1 from request_acceptances done where done.request_id = r.id and done.user_id = who.id)
  ))
  from edit_requests r where r.session_id = page.id
  order by r.id desc limit 1
)

-- editedSessions(p, now)
coalesce((
  select jsonb_agg(jsonb_build_object(
    'session_id', each.id, 'member_id', sh.member_id, 'username', u.username, 'by_owner', u.host_id is not null, 'kind', each.kind,
    'at', each.at,
    'recorded_start', each.recorded_start, 'recorded_end', each.recorded_end,
    'started_at', each.started_at, 'ended_at', each.ended_at,
    'objection', (
      select ob.status from objections ob where ob.session_id = each.id order by ob.status = 'open' desc, ob.id desc limit 1),
    'objected_by', (
      select by.username from objections ob
      join users by on by.id = coalesce(ob.participant_id, ob.manager_id, p.owner_id)
      where ob.session_id = each.id and ob.status = 'open' order by ob.id desc limit 1),
    'request', (
      select jsonb_build_object('status', r.status, 'requested_at', r.requested_at, 'started_at', r.started_at, 'ended_at', r.ended_at, 'waits_for', (
        select coalesce(jsonb_agg(who.id), '[]') from «whoAccepts(r, now)» who
  where r.status = 'open' and not exists (
    select 1 from request_acceptances done where done.request_id = r.id and done.user_id = who.id)))
      from edit_requests r
      where r.session_id = each.id and r.month = p.month order by r.id desc limit 1)
  ) order by each.at, each.id)
  from shares sh
  join users u on u.id = sh.member_id
  cross join lateral (
    select s.id, case when s.restored_at is null then 'corrected' else 'restored' end as kind,
      coalesce(s.restored_at, s.edited_at) as at, s.was_started_at as recorded_start, s.was_ended_at as recorded_end,
      s.started_at, s.ended_at
    from sessions s
    where s.share_id = sh.id and (s.edited_at is not null
  and (s.restored_at is not null or (s.started_at, s.ended_at) <> (s.was_started_at, s.was_ended_at)))
    union all
    select s.id, 'requested', max(r.requested_at), coalesce(s.was_started_at, s.started_at),
      coalesce(s.was_ended_at, s.ended_at), s.started_at, s.ended_at
    from edit_requests r join sessions s on s.id = r.session_id
    where r.share_id = sh.id and r.month = p.month and not (s.edited_at is not null
  and (s.restored_at is not null or (s.started_at, s.ended_at) <> (s.was_started_at, s.was_ended_at)))
    group by s.id
    union all
    select r.id, 'removed', r.removed_at, r.started_at, r.ended_at, null, null
    from removed_sessions r where r.share_id = sh.id
  ) each
  where sh.asset_id = p.asset_id and (not sh.own or p.split_method = 'share_of_use')
    and ((each.recorded_start < p.ends_at and each.recorded_end >= p.starts_at) or (each.started_at < p.ends_at and each.ended_at >= p.starts_at))
), '[]')

-- isActive(s, now)
(s.ended_at is null and s.ends_by > {now}::timestamptz)

-- acceptedShare(a, sh, {shareId:share,memberId:user})
«anyOwnShare(sh, {shareId:share,memberId:user})» and sh.ended_at is null
  and a.archived_at is null

-- anyOwnShare(sh, {shareId:share,memberId:user})
sh.id = {share} and sh.member_id = {user} and sh.accepted_at is not null

-- openShare(a, sh, {shareId:share,memberId:user}, now)
«isShareOfMember(sh, {shareId:share,memberId:user}, now)» and a.archived_at is null

-- wholeSession(share)
(
  select sh.asset_id, s.share_id, s.started_at, s.ended_at
  from sessions s join shares sh on sh.id = s.share_id
  where s.id = {share} and s.ended_at is not null
)

-- silencesInPeriod(p, now)
(
  select coalesce(json_agg(json_build_object(
    'meter', each.meter, 'since', greatest(each.since, p.starts_at),
    'until', least(coalesce(each.until, {now}::timestamptz), p.ends_at)
  ) order by each.since, each.meter), '[]')
  from (
  select asset_id, meter_id, meter, since, until from meter_silences
  union all
  select asset_id, id, name, last_event_at, null from meters
  where last_event_at <= {now}::timestamptz - make_interval(hours => {24}::int)
) each
  where each.asset_id = p.asset_id and each.since < p.ends_at
    and coalesce(each.until, {now}::timestamptz) > p.starts_at
)

-- silencesOfMeter(m, {since:{},now:2026-03-15T12:00:00.000Z})
(
  select coalesce(json_agg(json_build_object('since', each.since, 'until', each.until) order by each.since desc), '[]')
  from (
  select asset_id, meter_id, meter, since, until from meter_silences
  union all
  select asset_id, id, name, last_event_at, null from meters
  where last_event_at <= {now}::timestamptz - make_interval(hours => {24}::int)
) each
  where each.meter_id = m.id and coalesce(each.until, {now}::timestamptz) > since
)

-- lineSince(l)
case
    when l.paid_at is not null then l.paid_at
    when l.amount_cents <> 0 and l.sent_cents + l.settled_cents = abs(l.amount_cents) then (
      select max(s.status_since) from settlement_parts part join settlements s on s.id = part.settlement_id
      where part.line_id = l.id and s.status in ('sent', 'paid'))
    else l.sent_at
  end

-- assetScope(asset).open
a.id = {asset}

-- assetScope(asset).closed
st.asset_id = {asset}

-- isAmong([asset])
a.id = any({[asset]}::bigint[])

-- wasSharedWith(user)
a.id in (select asset_id from shares where member_id = {user} and not own and accepted_at is not null)

-- ownerScope(user, asset).open
a.id = {asset} and «actsFor(a, user, p.owner_id)»

-- ownerScope(user, asset).closed
st.asset_id = {asset}
      and exists (select 1 from assets a where a.id = {asset} and (st.owner_id = {user} or (st.owner_id = a.owner_id and «isCoManagedBy(a, user)»)))

-- userScope(user, {role:member,proposals:true}).open
a.id = any(array(select asset_id from shares where member_id = {user} and not own and accepted_at is not null union
            select p.asset_id from periods p where p.owner_id = {user} and p.closed_at is null and «hasProposals(p)»
          )) and (p.owner_id <> {user} or «hasProposals(p)»)

-- userScope(user, {role:member,proposals:true}).closed
st.id in (select statement_id from statement_lines where user_id = {user} and role = 'member')

-- isStatement([asset])
st.id = any({[asset]}::bigint[])

-- canBeNotified(u)
(u.email is not null and u.disabled_at is null)

-- noticeColumns(n, actor)
n.id, n.kind, n.created_at, n.read_at is not null as read, n.actor_id, actor.username as actor, n.asset_id, n.asset_name,
  n.share_id, n.data::text as data

-- renamedGuest(m.username, {from:ana,to:ben})
case when right(m.username, {6}::int) = { (ana)}::text
      then left(m.username, -{6}::int) || { (ben)}::text else m.username end

-- addMessages(ended, {kind:session.started,data:{},happenedAt:2026-03-15T12:00:00.000Z})
insert into outbox (kind, asset_id, share_id, actor_id, data, happened_at)
  select {session.started}, null::bigint, null::bigint, {null}::bigint, '{}', {now}::timestamptz from ended

-- deleteMessages([1])
delete from outbox where id = any({[1]}::bigint[])

-- statement of managedAssets
select a.id, a.name, a.description, coalesce(p.cycle_cents, p.price_cents) as price_cents, p.plan, a.ends_on, a.cancel_by_days, a.auto_renews, a.reminder_days, a.currency, p.time_zone, «termColumns(p)»,
      case when next.time_zone <> p.time_zone then json_build_object(
        'time_zone', next.time_zone, 'from_month', to_char(next.month, 'YYYY-MM')
      ) end as next_time_zone,
      fullest.total_hours, fullest.places, «nextTerms(p, next)» as next_terms,
      a.archived_at is not null as archived, p.unbilled, o.username as owner,
      case when a.owner_id = {user} then 'owner' else 'manager' end as your_role,
      (select id from shares where asset_id = a.id and own and member_id = {user} and ended_at is null) as own_share_id,
      «isUsed(a)» as used, «handoverOfAsset(a, p, now)» as handover,
      coalesce(e.entries, '[]'::json) as entries
    from (
      select a.* from assets a
      where (a.owner_id = {user} and a.deleted_at is null) and a.id > {0}
      order by a.id
      limit {limit}
    ) a
    join users o on o.id = a.owner_id
    cross join «currentPeriod(a, now)» p
    cross join «fullestMoment(a, p)» fullest
    left join periods next on next.asset_id = a.id and next.month = (p.month + interval '1 month')::date
    left join lateral (
      select json_agg(entry order by entry.id) as entries
      from (
        select sh.id, m.username, m.id as member_id, m.host_id is not null as person, sh.manager_since is not null as manager, c.expires_at as claim_expires_at, sh.monthly_hours_allocated as allocation_hours, used.seconds as used_seconds,
          used.active_since, case when not (sh.accepted_at is not null or sh.promised_at is not null) then (sh.created_at + make_interval(days => {14}::int)) end as expires_at,
          sh.accepted_at is null as pending, (sh.accepted_at is not null or sh.promised_at is not null) as accepted, «startsLater(a, sh, now)» as starts_on,
          case when sh.accepted_at is not null then «agreedOfShare(sh)» end as agreed, «isUnconfirmed(sh)» as unconfirmed,
          m.host_id is not null or a.archived_at is null and «canAnswer(sh)» as askable
        from shares sh
        join users m on m.id = sh.member_id
        left join claims c on c.guest_id = m.id and c.expires_at > {now}::timestamptz
        cross join «usedInPeriod(sh, p, now)» used
        where sh.asset_id = a.id and not sh.own and «isOpenShare(sh, now)»
        union all
        select i.id, null, null, false, false, null, null, null, null, i.expires_at, true, false,
          (
  select month from periods
  where asset_id = a.id and month = i.starts_on and starts_at > {now}::timestamptz), null, false, false
        from invitations i
        where i.asset_id = a.id and «isOpenInvitation(a, i, now)»
      ) entry
    ) e on true
    order by a.id

-- statement of readShares
with listed as materialized (
      select sh.*, p.month
      from (
        select sh.* from shares sh
        join assets a on a.id = sh.asset_id
        where sh.member_id = {user} and «isOpenShare(sh, now)» and a.archived_at is null
          and sh.id > {0}  and not sh.own
        order by sh.id
        limit {limit}
      ) sh
      join assets a on a.id = sh.asset_id
      cross join «periodOfAccess(a, sh, now)» p
    )
    select sh.id, sh.member_id, a.id as asset_id, a.name, a.description, o.id as owner_id, o.username as owner, sh.created_at,
      sh.monthly_hours_allocated as allocation_hours, used.seconds as used_seconds, used.active_since, sh.own, p.measured,
      case when not sh.own then (select json_build_object('method', shown.split_method, 'basePercent', shown.base_percent,
    'priceCents', shown.price_cents, 'totalHours', shown.total_hours, 'places', shown.places,
    'monthlyHours', shown.monthly_hours, 'maxHourCents', shown.max_hour_cents, 'plan', shown.plan,
    'extraCostCents', shown.extra_cost_cents) from (select p.split_method, p.base_percent, case when p.unbilled then 0 else coalesce(p.cycle_cents, p.price_cents) end as price_cents, p.plan,
  p.owner_hours + level.hours as total_hours, 1 + level.members as places, sh.monthly_hours_allocated as monthly_hours, p.max_hour_cents,
  p.extra_cost_cents) shown) end as shown,
      «agreedOfShare(sh)» as agreed,
      «lastUsedAt(sh, now)» as last_used_at, sh.accepted_at, sh.promised_at, «startsLater(a, sh, now)» as starts_on, a.ends_on, sh.manager_since, sh.ended_at, {false}::boolean as past,
  «pricing(a, p)», (sh.created_at + make_interval(days => {14}::int)) as expires_at,
      (sh.accepted_at is null or level.changes or «isHandedOver(a)»
        or exists (select 1 from meter_members where share_id = sh.id)) as detailed
    from listed sh
    join assets a on a.id = sh.asset_id
    join periods p on p.asset_id = sh.asset_id and p.month = sh.month
    join users o on o.id = case when sh.ended_at is null then a.owner_id else (
  select case when count(*) = 0 then a.owner_id else max(own.owner_id) end
  from periods own where own.asset_id = a.id and own.starts_at <= (sh.ended_at - interval '1 microsecond') and own.ends_at > (sh.ended_at - interval '1 microsecond')) end
    cross join «usedInPeriod(sh, p, now)» used
    cross join «presentLevel(a, p)» level
    order by sh.id

-- statement of lockOffersTo
select 1 from users where id = {user} for no key update

-- statement of lockOffersTo
select exists (
        select 1 from shares sh
        where sh.asset_id = {asset} and sh.member_id = {user} and «isOpenShare(sh, now)»
      ) as shared, count(*)::int as offers, (count(*) filter (where a.owner_id = {user}))::int as "offersOfOwner",
      (
        select count(*)::int from shares each join assets its on its.id = each.asset_id
        where each.member_id = {user} and its.owner_id = {user} and each.accepted_at is null
          and each.promised_at is null and each.created_at > {now}::timestamptz - interval '24 hours'
      ) as "offersOfDay",
      (
        select json_build_object('maxCents', max_cents, 'currency', currency) from trusted_owners
        where member_id = {user} and owner_id = {user} and offers = 'accept'
      ) as trust,
      exists (
        select 1 from trusted_owners
        where member_id = {user} and owner_id in ({user}, {user}) and offers = 'refuse'
      ) as refused
    from shares sh join assets a on a.id = sh.asset_id
    where sh.member_id = {user} and not (sh.accepted_at is not null or sh.promised_at is not null) and «isOpenShare(sh, now)»

-- statement of insertShare
with asset as (
      -- locked, because a deletion that ends its shares must not miss this one
      select id from assets where id = {asset} and deleted_at is null
        and owner_id = {user} for share
    ), added as (
      insert into shares (asset_id, member_id, monthly_hours_allocated, counted, created_at, starts_on, promised_at, accepted_at)
      select asset.id, {user}, {10}, {true}, {now}::timestamptz, later.month,
        case when later.month is not null then {now}::timestamptz end, case when later.month is null then {now}::timestamptz end
      from asset
      left join periods later on later.asset_id = asset.id and later.month = {null}::date
        and later.starts_at > {now}::timestamptz
      on conflict (asset_id, member_id) where ended_at is null do nothing
      returning *
    ), allowance as (
  insert into allowances (share_id, since, monthly_hours, agreed_hours, counted_hours)
  select id, accepted_at, monthly_hours_allocated, monthly_hours_allocated,
    case when counted then monthly_hours_allocated else 0 end
  from added where accepted_at is not null)
    select added.id from asset left join added on true

-- statement of acceptOffer
with accepted as (
      update shares sh set
        promised_at = case when later.starts_on is not null then {now}::timestamptz end,
        accepted_at = case when later.starts_on is null then greatest(sh.created_at, {now}::timestamptz) end
      from (
        select «startsLater(a, sh, now)» as starts_on from shares sh join assets a on a.id = sh.asset_id where sh.id = {share}
      ) later
      where sh.id = {share} and sh.accepted_at is null and sh.ended_at is null
      returning sh.*
    )
  insert into allowances (share_id, since, monthly_hours, agreed_hours, counted_hours)
  select id, accepted_at, monthly_hours_allocated, monthly_hours_allocated,
    case when counted then monthly_hours_allocated else 0 end
  from accepted where accepted_at is not null

-- statement of setAllowance
select 1 from shares where id = {share} for no key update

-- statement of setAllowance
with before as (
      select sh.id, sh.monthly_hours_allocated as hours, not (sh.accepted_at is not null or sh.promised_at is not null) as offered,
        -- a yes to later access was to fewer hours, and someone without an account can't give another
        sh.promised_at is not null and sh.accepted_at is null and {10} > sh.monthly_hours_allocated
          and m.host_id is null as asked_again
      from shares sh join users m on m.id = sh.member_id where sh.id = {share}
    ), changed as (
      update shares sh set monthly_hours_allocated = {10},
        -- an offer, too, counts as far as the owner made it
        counted = by.owner or sh.counted and {10} <= before.hours,
        promised_at = case when not before.asked_again then sh.promised_at end,
        created_at = case when before.asked_again then {now}::timestamptz else sh.created_at end
      from before cross join lateral (
        select exists (
          select 1 from shares of_owner join assets a on a.id = of_owner.asset_id
          where of_owner.id = before.id and a.owner_id = {user}
        ) as owner
      ) by
      where before.id = sh.id and «isManageableShare(sh, {userId:user,assetId:asset,shareId:share}, now)»
      returning sh.id, sh.asset_id, sh.accepted_at, before.hours, before.offered, by.owner as by_owner
    ), allowance as (
      insert into allowances as known (share_id, since, monthly_hours, agreed_hours, counted_hours)
      -- never before the allowance it replaces, even if the clock was set back
      select id, greatest({now}::timestamptz, last.since), {10},
        case when cost.is_free then {10} else least({10}, last.agreed_hours) end,
        case when by_owner then {10} else least({10}, last.counted_hours) end
      from changed
      cross join lateral (
        select since, agreed_hours, counted_hours from allowances where share_id = changed.id order by since desc limit 1
      ) last
      cross join lateral (
        -- more hours need a yes only where they cost more, by the terms or by what was agreed to, and on a server that asks
        select not exists (
          select 1 from (
            select split_method, base_percent from agreements
            where share_id = changed.id and agreed_at is not null order by agreed_at desc, id desc limit 1
          ) agreed
          where (
  p.split_method = 'allocation'
  or p.split_method <> 'equal' and p.base_percent > 0) or (
  agreed.split_method = 'allocation'
  or agreed.split_method <> 'equal' and agreed.base_percent > 0)
        ) as is_free
        from assets a cross join «currentPeriod(a, now)» p where a.id = changed.asset_id
      ) cost
      where accepted_at is not null
      on conflict (share_id, since) do update set monthly_hours = excluded.monthly_hours,
        agreed_hours = excluded.agreed_hours, counted_hours = excluded.counted_hours
    )
    select hours, offered from changed

-- statement of endShares
update shares sh set ended_at = case when not (sh.accepted_at is not null or sh.promised_at is not null)
      then least((sh.created_at + make_interval(days => {14}::int)), greatest(sh.created_at, {now}::timestamptz))
      else greatest(sh.created_at, sh.accepted_at, {now}::timestamptz) end
    where sh.ended_at is null and «isManageableShare(sh, {userId:user,assetId:asset,shareId:share}, now)»
    returning sh.id as "shareId", sh.asset_id as "assetId"

-- statement of claimedAssets
select sh.id, a.name as asset_name, sh.monthly_hours_allocated as allocation_hours, «pricing(a, p)»,
      p.measured, (select json_build_object('method', shown.split_method, 'basePercent', shown.base_percent,
    'priceCents', shown.price_cents, 'totalHours', shown.total_hours, 'places', shown.places,
    'monthlyHours', shown.monthly_hours, 'maxHourCents', shown.max_hour_cents, 'plan', shown.plan,
    'extraCostCents', shown.extra_cost_cents) from «shownTerms(a, p, sh)» shown) as shown, «startsLater(a, sh, now)» as starts_on,
      -- others, because they will be one of them
      «memberCount(a)» - (sh.accepted_at is not null)::int as members
    from shares sh join assets a on a.id = sh.asset_id cross join «periodOfAccess(a, sh, now)» p
    where sh.member_id = {user} and sh.ended_at is null and a.archived_at is null
    order by lower(a.name), sh.id

-- statement of claimedMonths
select json_build_array(p.asset_id, p.month, p.price_cents, p.unbilled, p.split_method, p.base_percent,
      p.owner_hours, access.days, access.summed_hours, used.list, spent.list)::text as month
    from periods p
    cross join lateral (
  select count(*)::int as days, coalesce(sum(hours), 0)::int as summed_hours
  from (
    select day, max(agreed_hours) as hours
    from shares sh cross join lateral (
    select monthly_hours, agreed_hours, counted_hours, tstzrange(since, lead(since) over (order by since)) as during
    from allowances where share_id = sh.id
  ) held
  cross join lateral unnest(
    tstzmultirange(held.during * tstzrange(sh.accepted_at, sh.ended_at) * tstzrange(p.starts_at, p.ends_at))
    - coalesce(
      (select range_agg(tstzrange(since, until)) from archivals where asset_id = sh.asset_id), '{}'::tstzmultirange
    )
  ) piece
    cross join lateral generate_series(
      (case when lower(piece) <= p.starts_at then p.month else greatest(p.month, (lower(piece) at time zone p.time_zone)::date) end)::timestamp,
      (least((p.month + interval '1 month')::date - 1, greatest(p.month, ((upper(piece) - interval '1 microsecond') at time zone p.time_zone)::date)))::timestamp,
      interval '1 day'
    ) day
    where sh.asset_id = p.asset_id and sh.member_id = {user} and sh.objected_at is null and «sharedDuringPeriod(sh, p)»
    group by day
  ) by_day
) access
    left join lateral (
      select json_agg(json_build_array(s.started_at, s.ended_at) order by s.id) as list
      from shares sh join sessions s on s.share_id = sh.id
      where sh.asset_id = p.asset_id and sh.member_id = {user} and sh.objected_at is null and s.started_at < p.ends_at and s.ended_at > p.starts_at
    ) used on true
    left join lateral (
      select json_agg(json_build_array(c.id, c.status, v.version) order by c.id, v.version) as list
      from costs c join cost_versions v on v.cost_id = c.id
      where c.asset_id = p.asset_id and c.month = p.month
    ) spent on true
    where p.closed_at is null and p.starts_at <= {now}::timestamptz and exists (
      select 1 from shares sh where sh.asset_id = p.asset_id and sh.member_id = {user} and sh.objected_at is null and «sharedDuringPeriod(sh, p)»)
    order by p.asset_id, p.month

-- statement of extendPeriods
insert into periods (asset_id, month, time_zone, starts_at, ends_at, price_cents, price_since, plan, cycle_cents, «termColumnNames», owner_id)
  select last.asset_id, first_day, last.time_zone, case when first_day = last.month + interval '1 month' then last.ends_at
  else (case
    when ((first_day at time zone last.time_zone) - interval '1 hour') at time zone last.time_zone >= first_day
    then (first_day at time zone last.time_zone) - interval '1 hour'
    else first_day at time zone last.time_zone
  end) end,
    (case
    when (((first_day + interval '1 month') at time zone last.time_zone) - interval '1 hour') at time zone last.time_zone >= (first_day + interval '1 month')
    then ((first_day + interval '1 month') at time zone last.time_zone) - interval '1 hour'
    else (first_day + interval '1 month') at time zone last.time_zone
  end), last.price_cents, last.price_since, last.plan, last.cycle_cents,
    last.split_method, last.base_percent, last.owner_hours, last.max_session_hours, last.max_hour_cents, last.extra_cost_cents, last.owner_takes_part, last.measured, last.max_hour_chosen, last.owner_id
  from unnest({[asset]}::bigint[]) short (id)
    cross join lateral (select * from periods where asset_id = short.id order by month desc limit 1) last
    cross join lateral generate_series(
      last.month + interval '1 month', date_trunc('month', ({now}::timestamptz at time zone last.time_zone)) + interval '2 months', interval '1 month'
    ) first_day
  on conflict do nothing

-- statement of setTimeZone
update periods set
      time_zone = {Europe/Berlin}::text,
      starts_at = case when periods.month = changed.first then starts_at
        else (case
    when ((periods.month::timestamp at time zone {Europe/Berlin}::text) - interval '1 hour') at time zone {Europe/Berlin}::text >= periods.month::timestamp
    then (periods.month::timestamp at time zone {Europe/Berlin}::text) - interval '1 hour'
    else periods.month::timestamp at time zone {Europe/Berlin}::text
  end) end,
      ends_at = (case
    when (((periods.month + interval '1 month') at time zone {Europe/Berlin}::text) - interval '1 hour') at time zone {Europe/Berlin}::text >= (periods.month + interval '1 month')
    then ((periods.month + interval '1 month') at time zone {Europe/Berlin}::text) - interval '1 hour'
    else (periods.month + interval '1 month') at time zone {Europe/Berlin}::text
  end)
    from (
      select min(month) as first from periods
      where asset_id = {asset} and closed_at is null and month > «currentMonth(asset, now)»
    ) changed
    where asset_id = {asset} and periods.month >= changed.first and time_zone <> {Europe/Berlin}::text
    returning periods.month

-- statement of insertSession
with share as (
      select sh.id, sh.asset_id, a.name, p.max_session_hours
      from shares sh join assets a on a.id = sh.asset_id
      cross join «currentPeriod(a, now)» p
      where «acceptedShare(a, sh, {shareId:share,memberId:user})» and p.measured and «countedBy(sh, now)» is null
      for share of a for no key update of sh
    ), started as (
      insert into sessions (share_id, started_at, ends_by)
      select id, {now}::timestamptz, {now}::timestamptz + make_interval(hours => max_session_hours) from share
      on conflict (share_id) where ended_at is null do nothing
      returning id, started_at, ended_at, added_late, source
    ), told as (
  insert into outbox (kind, asset_id, share_id, actor_id, data, happened_at)
  select {session.started}, share.asset_id, share.id, {user}::bigint, jsonb_build_object('session_id', started.id), {now}::timestamptz from started cross join share)
    select started.*, share.name as asset_name from started cross join share

-- statement of endSession
with ended as (
      update sessions s
      set ended_at = least(
  «sessionEnd(s, now)», greatest(s.started_at, {now}::timestamptz)), added_late = s.added_late,
        ends_by = coalesce(s.limit_at, s.ends_by), alive_at = null, steady_until = null,
        silent = coalesce(s.ends_by <= {now}::timestamptz and s.alive_at <= {now}::timestamptz, false),
        edited_by_hand = s.edited_by_hand or (s.source = 'metered' and {true})
      from shares sh join assets a on a.id = sh.asset_id
      where sh.id = s.share_id and s.ended_at is null and «acceptedShare(a, sh, {shareId:share,memberId:user})» and s.ends_by > {now}::timestamptz
      returning s.id, s.share_id, sh.asset_id, a.name as asset_name, s.started_at, s.ended_at, s.added_late, s.source,
        s.silent
    ), added as (
  «addUse(ended)»), told as (
  insert into outbox (kind, asset_id, share_id, actor_id, data, happened_at)
  select {session.ended}, asset_id, share_id, {user}::bigint, jsonb_build_object('session_id', id, 'cause', case when silent then 'meter' else {member}::text end), {now}::timestamptz from ended)
    select id, asset_name, started_at, ended_at, added_late, source from ended

-- statement of rebuildDays
select 1 from sessions s join shares sh on sh.id = s.share_id
    where sh.asset_id = {asset} and s.ended_at is null
    order by s.id for update of s

-- statement of rebuildDays
delete from usage_days d using shares sh
    where sh.id = d.share_id and sh.asset_id = {asset} and d.day >= {2026-03-01}::date

-- statement of rebuildDays
insert into usage_days (share_id, day, seconds, sessions)
    select share_id, day, seconds, sessions from (
  select share_id, day, sum(seconds)::int as seconds, sum(sessions)::int as sessions
  from (
    select share_id, day, seconds, sessions from (
  select part.share_id, least(greatest(p.month, local.day::date), (p.month + interval '1 month')::date - 1) as day,
    sum(greatest(0, floor(extract(epoch from least(part.ended_at, bounds.ends_at))) - floor(extract(epoch from greatest(part.started_at, bounds.starts_at))))::bigint)::int
      as seconds,
    (count(*) filter (where bounds.starts_at <= part.started_at and part.started_at < bounds.ends_at))::int as sessions
  from (
  select sh.asset_id, s.share_id, s.started_at, s.ended_at
  from shares sh join sessions s on s.share_id = sh.id
  where sh.asset_id = {asset} and s.ended_at is not null
    and s.started_at >= ({2026-03-01}::date - interval '759 hours') at time zone 'UTC'
            and s.ended_at >= ({2026-03-01}::date - interval '15 hours') at time zone 'UTC'
) stretch
  join periods p on p.asset_id = stretch.asset_id and p.ends_at > stretch.started_at
    and (p.starts_at < stretch.ended_at or p.starts_at <= stretch.started_at)
  cross join lateral (
    select stretch.share_id, greatest(stretch.started_at, p.starts_at) as started_at,
      least(stretch.ended_at, p.ends_at) as ended_at
    offset 0
  ) part
  cross join lateral generate_series(
    date_trunc('day', (part.started_at at time zone p.time_zone)),
    date_trunc('day', (part.ended_at at time zone p.time_zone)) + interval '1 day',
    interval '1 day'
  ) local (day)
  cross join lateral (
    select (case
    when ((local.day at time zone p.time_zone) - interval '1 hour') at time zone p.time_zone >= local.day
    then (local.day at time zone p.time_zone) - interval '1 hour'
    else local.day at time zone p.time_zone
  end) as starts_at,
      (case
    when (((local.day + interval '1 day') at time zone p.time_zone) - interval '1 hour') at time zone p.time_zone >= (local.day + interval '1 day')
    then ((local.day + interval '1 day') at time zone p.time_zone) - interval '1 hour'
    else (local.day + interval '1 day') at time zone p.time_zone
  end) as ends_at
    offset 0
  ) bounds
  where bounds.starts_at < part.ended_at and bounds.ends_at > part.started_at
    or bounds.starts_at <= part.started_at and part.started_at < bounds.ends_at
  group by part.share_id, least(greatest(p.month, local.day::date), (p.month + interval '1 month')::date - 1)
) cut
    union all
    select d.share_id, d.day, d.seconds, (d.seconds > 0)::int
    from shares sh join metered_days d on d.share_id = sh.id
    where sh.asset_id = {asset}
  ) part
  group by share_id, day
) used
    where day >= {2026-03-01}::date

-- statement of readSessions
select page.*, a.name as asset_name, (select name from meters where id = page.meter_id) as meter, disputed.open_until, disputed.objection_until, «lastObjection(a, page)» as objection, «lastRequest(page, now)» as request
    from shares sh join assets a on a.id = sh.asset_id
    left join lateral (
      select s.*, m.id as member_id, m.username, sh.id as share_id, m.host_id is not null as person
      from (
    (select s.id, s.started_at, case when (s.ended_at is null and s.ends_by > {now}::timestamptz) then null else «sessionEnd(s, now)» end as ended_at, s.edited_at, s.was_started_at, s.was_ended_at,
        s.restored_at, s.recorded_by_owner, s.added_late, s.source, s.external_id,
        s.meter_id, (s.silent or s.alive_at is not null and s.ends_by <= {now}::timestamptz) as silent, false as removed, null as day, null::int as counted_seconds, null::int as uncounted_seconds
      from sessions s where s.share_id = sh.id  order by s.started_at desc, s.id desc limit {limit})
    union all
    (select s.id, s.started_at, s.ended_at, s.removed_at, s.started_at, s.ended_at, null,
        s.recorded_by_owner, s.added_late, s.source, s.external_id,
        s.meter_id, false, true, null, null, null
      from removed_sessions s where s.share_id = sh.id and exists (select 1 from objections ob where ob.session_id = s.id and ob.status = 'open')  order by s.started_at desc, s.id desc limit {limit})
    union all
    (select s.id, s.started_at, s.ended_at, s.refused_at, case when s.removed then s.started_at end,
        case when s.removed then s.ended_at end, null, false, null, 'metered', null, s.meter_id, false, s.removed,
        s.day::text, s.counted_seconds, s.told_seconds - s.counted_seconds
      from (
  select d.id, d.meter_id, d.day, d.refused_at, d.told_seconds, bounds.started_at, d.refused_at is not null as removed,
    case when d.refused_at is null then d.seconds else d.told_seconds end as counted_seconds,
    bounds.started_at + make_interval(secs => case when d.refused_at is null then d.seconds else d.told_seconds end) as ended_at
  from metered_days d join periods p on p.asset_id = sh.asset_id and p.month = date_trunc('month', d.day)::date
  cross join lateral (
    select case when d.day = p.month then p.starts_at else (case
    when ((d.day::timestamp at time zone p.time_zone) - interval '1 hour') at time zone p.time_zone >= d.day::timestamp
    then (d.day::timestamp at time zone p.time_zone) - interval '1 hour'
    else d.day::timestamp at time zone p.time_zone
  end) end as started_at
    offset 0
  ) bounds
  where d.share_id = sh.id and (d.told_seconds > 0 or d.refused_at is not null)
) s where (not s.removed or exists (select 1 from objections ob where ob.session_id = s.id and ob.status = 'open'))  order by s.started_at desc, s.id desc limit {limit})) s join users m on m.id = sh.member_id
      order by s.started_at desc, s.id desc
      limit {limit}
    ) page on true
    left join lateral (
  select (p.ends_at + make_interval(hours => {72}::int)) as open_until,
    case when «objectionsEnd(p)» > {now}::timestamptz and not page.recorded_by_owner
      and not (page.removed and page.source = 'metered')
      and not exists (
    select 1 from edit_requests r where r.session_id = page.id and r.status = 'accepted' and r.resolved_at >= page.edited_at) then «objectionsEnd(p)» end as objection_until
  from lateral (
  select each.*
  from periods each
  cross join lateral (
    select tstzrange(page.was_started_at, page.was_ended_at) * tstzrange(each.starts_at, each.ends_at) as recorded,
      case when page.removed then 'empty' else tstzrange(page.started_at, page.ended_at) end * tstzrange(each.starts_at, each.ends_at) as counted
  ) part
  where each.asset_id = a.id and each.closed_at is null and part.recorded <> part.counted
  order by part.recorded <@ part.counted, each.starts_at
  limit 1
) p
  where page.edited_at is not null and (p.ends_at + make_interval(hours => {72}::int)) > {now}::timestamptz
) disputed on true
    where «openShare(a, sh, {shareId:share,memberId:user}, now)» or «anyOwnShare(sh, {shareId:share,memberId:user})»
    order by page.started_at desc, page.id desc

-- statement of readAssetSessions
select page.*, a.name as asset_name, (select name from meters where id = page.meter_id) as meter, disputed.open_until, disputed.objection_until, «lastObjection(a, page)» as objection, «lastRequest(page, now)» as request
    from assets a cross join lateral (select «ownedTimes(a, user)» as times) owned
    left join lateral (
      select s.*, m.id as member_id, m.username, sh.id as share_id, m.host_id is not null as person
      from shares sh
      join users m on m.id = sh.member_id
      cross join lateral (
    (select s.id, s.started_at, case when (s.ended_at is null and s.ends_by > {now}::timestamptz) then null else «sessionEnd(s, now)» end as ended_at, s.edited_at, s.was_started_at, s.was_ended_at,
        s.restored_at, s.recorded_by_owner, s.added_late, s.source, s.external_id,
        s.meter_id, (s.silent or s.alive_at is not null and s.ends_by <= {now}::timestamptz) as silent, false as removed, null as day, null::int as counted_seconds, null::int as uncounted_seconds
      from sessions s where s.share_id = sh.id and ((s.started_at is not null and (owned.times @> s.started_at or owned.times && tstzrange(s.started_at, «sessionEnd(s, now)»))) or (s.was_started_at is not null and (owned.times @> s.was_started_at or owned.times && tstzrange(s.was_started_at, s.was_ended_at)))) order by s.started_at desc, s.id desc limit {limit})
    union all
    (select s.id, s.started_at, s.ended_at, s.removed_at, s.started_at, s.ended_at, null,
        s.recorded_by_owner, s.added_late, s.source, s.external_id,
        s.meter_id, false, true, null, null, null
      from removed_sessions s where s.share_id = sh.id and true and (s.started_at is not null and (owned.times @> s.started_at or owned.times && tstzrange(s.started_at, s.ended_at))) order by s.started_at desc, s.id desc limit {limit})
    union all
    (select s.id, s.started_at, s.ended_at, s.refused_at, case when s.removed then s.started_at end,
        case when s.removed then s.ended_at end, null, false, null, 'metered', null, s.meter_id, false, s.removed,
        s.day::text, s.counted_seconds, s.told_seconds - s.counted_seconds
      from (
  select d.id, d.meter_id, d.day, d.refused_at, d.told_seconds, bounds.started_at, d.refused_at is not null as removed,
    case when d.refused_at is null then d.seconds else d.told_seconds end as counted_seconds,
    bounds.started_at + make_interval(secs => case when d.refused_at is null then d.seconds else d.told_seconds end) as ended_at
  from metered_days d join periods p on p.asset_id = sh.asset_id and p.month = date_trunc('month', d.day)::date
  cross join lateral (
    select case when d.day = p.month then p.starts_at else (case
    when ((d.day::timestamp at time zone p.time_zone) - interval '1 hour') at time zone p.time_zone >= d.day::timestamp
    then (d.day::timestamp at time zone p.time_zone) - interval '1 hour'
    else d.day::timestamp at time zone p.time_zone
  end) end as started_at
    offset 0
  ) bounds
  where d.share_id = sh.id and (d.told_seconds > 0 or d.refused_at is not null)
) s where (not s.removed or true) and (s.started_at is not null and (owned.times @> s.started_at or owned.times && tstzrange(s.started_at, s.ended_at))) order by s.started_at desc, s.id desc limit {limit})) s
      where sh.asset_id = a.id and not sh.own
      order by s.started_at desc, s.id desc
      limit {limit}
    ) page on true
    left join lateral (
  select (p.ends_at + make_interval(hours => {72}::int)) as open_until,
    case when «objectionsEnd(p)» > {now}::timestamptz and not page.recorded_by_owner
      and not (page.removed and page.source = 'metered')
      and not exists (
    select 1 from edit_requests r where r.session_id = page.id and r.status = 'accepted' and r.resolved_at >= page.edited_at) then «objectionsEnd(p)» end as objection_until
  from lateral (
  select each.*
  from periods each
  cross join lateral (
    select tstzrange(page.was_started_at, page.was_ended_at) * tstzrange(each.starts_at, each.ends_at) as recorded,
      case when page.removed then 'empty' else tstzrange(page.started_at, page.ended_at) end * tstzrange(each.starts_at, each.ends_at) as counted
  ) part
  where each.asset_id = a.id and each.closed_at is null and part.recorded <> part.counted
  order by part.recorded <@ part.counted, each.starts_at
  limit 1
) p
  where page.edited_at is not null and (p.ends_at + make_interval(hours => {72}::int)) > {now}::timestamptz
) disputed on true
    where a.id = {asset} and (
  «hasOwned(a, user)» or «belongsToManager(a, user)»)
    order by page.started_at desc, page.id desc

-- statement of monthOfShare
with period as materialized (
      select asked.*, own.starts_at, own.ends_at, own.time_zone, own.owner_hours, own.owner_takes_part, own.owner_id,
        (asked.month + interval '1 month')::date - asked.month as month_days
      from (
        select a.id as asset_id, a.name as asset_name, p.month as current_month, «dateInPeriod(p, {now}::timestamptz)» as today,
          coalesce({null}::date, p.month) as month
        from assets a cross join «currentPeriod(a, now)» p
        where a.archived_at is null and a.id = (select sh.asset_id from shares sh where «isShareOfMember(sh, {shareId:share,memberId:user}, now)»)
      ) asked
      left join periods own on own.asset_id = asked.asset_id and own.month = asked.month
    ), share as materialized (
      select sh.id, sh.member_id, sh.own,
        exists (select 1 from sessions s where s.share_id = sh.id and s.ended_at is null and s.ends_by > {now}::timestamptz) as active,
        coalesce(
          (select monthly_hours from allowances where share_id = sh.id and since < p.ends_at
            order by since desc limit 1),
          (select monthly_hours from allowances where share_id = sh.id
            order by case when p.month < p.current_month then since end, since desc limit 1),
          -- an offer has no allowance yet
          sh.monthly_hours_allocated
        ) as hours
      from period p
      join shares sh on sh.asset_id = p.asset_id and «isShareOfMember(sh, {shareId:share,memberId:user}, now)»
    ), member as (
      select m.username, (array_agg(share.hours order by share.id desc))[1] as hours,
        array_agg(share.id) as share_ids, bool_or(share.active) as active, share.own
      from share join users m on m.id = share.member_id
      group by m.id, share.own
    )
    select p.asset_id as "assetId", member.share_ids as "shareIds",
      coalesce(line.username, member.username) as username, coalesce(st.asset_name, p.asset_name) as asset_name,
      to_char(p.month, 'YYYY-MM') as month, coalesce(member.hours, 0) as hours,
      case when p.month < p.current_month then coalesce(line.summed_hours, access.summed_hours)
        else coalesce(member.hours, 0) * p.month_days end as "summedHours",
      0 as "reservedHours", 0 as "ownSeconds", line.used_seconds as "billedSeconds",
      coalesce(st.total_hours, fullest.total_hours) as "totalHours",
      coalesce(st.owner_hours, p.owner_hours, (
        select owner_hours from periods where asset_id = p.asset_id order by month desc limit 1
      )) as "ownerHours",
      member.own,
      case when st.id is null then p.starts_at is null or access.days > 0 or member.own else line.id is not null end as counts,
      to_char(p.today, 'YYYY-MM-DD') as today, coalesce(member.active, false) as active,
      case when p.month = p.current_month then json_build_object(
        'passedSeconds', greatest(0, floor(extract(epoch from {now}::timestamptz)) - floor(extract(epoch from p.starts_at)))::bigint,
        'monthSeconds', greatest(0, floor(extract(epoch from p.ends_at)) - floor(extract(epoch from p.starts_at)))::bigint,
        'dayStarts', (
          select json_agg(case when day = p.month then 0
            else greatest(0, floor(extract(epoch from (case
    when ((day at time zone p.time_zone) - interval '1 hour') at time zone p.time_zone >= day
    then (day at time zone p.time_zone) - interval '1 hour'
    else day at time zone p.time_zone
  end))) - floor(extract(epoch from p.starts_at)))::bigint end order by day)
          from generate_series(p.month, p.month + interval '1 month' - interval '1 day', interval '1 day') series (stamp)
          cross join lateral (select stamp::timestamp as day) local
        )
      ) end as running
    from period p
    left join member on true
    cross join lateral (
  select count(*)::int as days, coalesce(sum(hours), 0)::int as summed_hours
  from (
    select day, max(agreed_hours) as hours
    from shares sh cross join lateral (
    select monthly_hours, agreed_hours, counted_hours, tstzrange(since, lead(since) over (order by since)) as during
    from allowances where share_id = sh.id
  ) held
  cross join lateral unnest(
    tstzmultirange(held.during * tstzrange(sh.accepted_at, sh.ended_at) * tstzrange(p.starts_at, p.ends_at))
    - coalesce(
      (select range_agg(tstzrange(since, until)) from archivals where asset_id = sh.asset_id), '{}'::tstzmultirange
    )
  ) piece
    cross join lateral generate_series(
      (case when lower(piece) <= p.starts_at then p.month else greatest(p.month, (lower(piece) at time zone p.time_zone)::date) end)::timestamp,
      (least((p.month + interval '1 month')::date - 1, greatest(p.month, ((upper(piece) - interval '1 microsecond') at time zone p.time_zone)::date)))::timestamp,
      interval '1 day'
    ) day
    where sh.id = any(member.share_ids) and «sharedDuringPeriod(sh, p)»
    group by day
  ) by_day
) access
    left join statements st on st.asset_id = p.asset_id and st.month = p.month
    -- a closed month keeps the names of its statement, also after someone joins
    left join statement_lines line on line.statement_id = st.id and (line.share_id = any(member.share_ids) or member.own and line.role = 'owner')
    cross join lateral (select p.asset_id as id) a
    -- offset keeps the condition inside: as one of the join, it would drop what has been calculated
    left join lateral (select * from (select null::int as total_hours) fullest where st.id is null offset 0) fullest on true
    order by lower(coalesce(line.username, member.username))

-- statement of daysOfUse
with period as materialized (
      select asset_id, month, starts_at, ends_at from periods where asset_id = {asset} and month = {2026-03-01}::date
    ), share as materialized (select id, asset_id from shares where id = any({[share]}::bigint[]))
    select used.share_id as "shareId", to_char(used.day, 'YYYY-MM-DD') as day, sum(used.seconds)::bigint as seconds,
      sum(used.sessions)::int as sessions, sum(used.metered)::bigint as metered
    from period p cross join lateral (
      select d.share_id, d.day, d.seconds, d.sessions, 0 as metered
      from share sh join usage_days d on d.share_id = sh.id and d.day >= p.month and d.day < p.month + interval '1 month'
      union all
      select share_id, day, seconds, sessions, 0 from (
  select part.share_id, least(greatest(p.month, local.day::date), (p.month + interval '1 month')::date - 1) as day,
    sum(greatest(0, floor(extract(epoch from least(part.ended_at, bounds.ends_at))) - floor(extract(epoch from greatest(part.started_at, bounds.starts_at))))::bigint)::int
      as seconds,
    (count(*) filter (where bounds.starts_at <= part.started_at and part.started_at < bounds.ends_at))::int as sessions
  from (
        select sh.asset_id, s.share_id, s.started_at, least(
  «sessionEnd(s, now)», {now}::timestamptz) as ended_at from share sh join sessions s on s.share_id = sh.id and s.ended_at is null and s.started_at <= least(
  «sessionEnd(s, now)», {now}::timestamptz)
      ) stretch
  join periods p on p.asset_id = stretch.asset_id and p.ends_at > stretch.started_at
    and (p.starts_at < stretch.ended_at or p.starts_at <= stretch.started_at)
  cross join lateral (
    select stretch.share_id, greatest(stretch.started_at, p.starts_at) as started_at,
      least(stretch.ended_at, p.ends_at) as ended_at
    offset 0
  ) part
  cross join lateral generate_series(
    date_trunc('day', (part.started_at at time zone p.time_zone)),
    date_trunc('day', (part.ended_at at time zone p.time_zone)) + interval '1 day',
    interval '1 day'
  ) local (day)
  cross join lateral (
    select (case
    when ((local.day at time zone p.time_zone) - interval '1 hour') at time zone p.time_zone >= local.day
    then (local.day at time zone p.time_zone) - interval '1 hour'
    else local.day at time zone p.time_zone
  end) as starts_at,
      (case
    when (((local.day + interval '1 day') at time zone p.time_zone) - interval '1 hour') at time zone p.time_zone >= (local.day + interval '1 day')
    then ((local.day + interval '1 day') at time zone p.time_zone) - interval '1 hour'
    else (local.day + interval '1 day') at time zone p.time_zone
  end) as ends_at
    offset 0
  ) bounds
  where bounds.starts_at < part.ended_at and bounds.ends_at > part.started_at
    or bounds.starts_at <= part.started_at and part.started_at < bounds.ends_at
  group by part.share_id, least(greatest(p.month, local.day::date), (p.month + interval '1 month')::date - 1)
) running
      union all
      select d.share_id, d.day, 0, 0, d.seconds
      from share sh join metered_days d on d.share_id = sh.id and d.day >= p.month and d.day < p.month + interval '1 month'
      union all
      select share_id, day, 0, 0, seconds from (
  select part.share_id, least(greatest(p.month, local.day::date), (p.month + interval '1 month')::date - 1) as day,
    sum(greatest(0, floor(extract(epoch from least(part.ended_at, bounds.ends_at))) - floor(extract(epoch from greatest(part.started_at, bounds.starts_at))))::bigint)::int
      as seconds,
    (count(*) filter (where bounds.starts_at <= part.started_at and part.started_at < bounds.ends_at))::int as sessions
  from (
        select sh.asset_id, s.share_id, s.started_at, least(
  «sessionEnd(s, now)», {now}::timestamptz) as ended_at from share sh join sessions s on s.share_id = sh.id and s.source = 'metered'
          and s.started_at < least(p.ends_at, {now}::timestamptz) and «sessionEnd(s, now)» > p.starts_at
      ) stretch
  join periods p on p.asset_id = stretch.asset_id and p.ends_at > stretch.started_at
    and (p.starts_at < stretch.ended_at or p.starts_at <= stretch.started_at)
  cross join lateral (
    select stretch.share_id, greatest(stretch.started_at, p.starts_at) as started_at,
      least(stretch.ended_at, p.ends_at) as ended_at
    offset 0
  ) part
  cross join lateral generate_series(
    date_trunc('day', (part.started_at at time zone p.time_zone)),
    date_trunc('day', (part.ended_at at time zone p.time_zone)) + interval '1 day',
    interval '1 day'
  ) local (day)
  cross join lateral (
    select (case
    when ((local.day at time zone p.time_zone) - interval '1 hour') at time zone p.time_zone >= local.day
    then (local.day at time zone p.time_zone) - interval '1 hour'
    else local.day at time zone p.time_zone
  end) as starts_at,
      (case
    when (((local.day + interval '1 day') at time zone p.time_zone) - interval '1 hour') at time zone p.time_zone >= (local.day + interval '1 day')
    then ((local.day + interval '1 day') at time zone p.time_zone) - interval '1 hour'
    else (local.day + interval '1 day') at time zone p.time_zone
  end) as ends_at
    offset 0
  ) bounds
  where bounds.starts_at < part.ended_at and bounds.ends_at > part.started_at
    or bounds.starts_at <= part.started_at and part.started_at < bounds.ends_at
  group by part.share_id, least(greatest(p.month, local.day::date), (p.month + interval '1 month')::date - 1)
) metered
    ) used
    where used.day >= p.month and used.day < p.month + interval '1 month'
    group by used.share_id, used.day
    order by used.day

-- statement of monthsOfAsset
with period as materialized (
      select asked.*, own.starts_at, own.ends_at, own.time_zone, own.owner_hours, own.owner_takes_part, own.owner_id,
        (asked.month + interval '1 month')::date - asked.month as month_days
      from (
        select a.id as asset_id, a.name as asset_name, p.month as current_month, «dateInPeriod(p, {now}::timestamptz)» as today,
          coalesce({2026-03-01}::date, p.month) as month
        from assets a cross join «currentPeriod(a, now)» p
        where a.id = {asset} and (a.deleted_at is null or a.owner_id <> {user}) and ((
  select case when count(*) = 0 then a.owner_id else max(own.owner_id) end
  from periods own where own.asset_id = a.id and own.month = {2026-03-01}::date) = {user} or ((
  select case when count(*) = 0 then a.owner_id else max(own.owner_id) end
  from periods own where own.asset_id = a.id and own.month = {2026-03-01}::date) = a.owner_id and «isCoManagedBy(a, user)»))
      ) asked
      left join periods own on own.asset_id = asked.asset_id and own.month = asked.month
    ), share as materialized (
      select sh.id, sh.member_id, sh.own,
        exists (select 1 from sessions s where s.share_id = sh.id and s.ended_at is null and s.ends_by > {now}::timestamptz) as active,
        coalesce(
          (select monthly_hours from allowances where share_id = sh.id and since < p.ends_at
            order by since desc limit 1),
          (select monthly_hours from allowances where share_id = sh.id
            order by case when p.month < p.current_month then since end, since desc limit 1),
          -- an offer has no allowance yet
          sh.monthly_hours_allocated
        ) as hours
      from period p
      join shares sh on sh.asset_id = p.asset_id and (not sh.own or p.owner_takes_part and sh.member_id = p.owner_id) and case when p.starts_at is null then sh.ended_at is null and sh.accepted_at is not null
          and p.month > p.current_month
        else «sharedDuringPeriod(sh, p)» end
    ), member as (
      select m.username, (array_agg(share.hours order by share.id desc))[1] as hours,
        array_agg(share.id) as share_ids, bool_or(share.active) as active, share.own
      from share join users m on m.id = share.member_id
      group by m.id, share.own
    )
    select p.asset_id as "assetId", member.share_ids as "shareIds",
      coalesce(line.username, member.username) as username, coalesce(st.asset_name, p.asset_name) as asset_name,
      to_char(p.month, 'YYYY-MM') as month, coalesce(member.hours, 0) as hours,
      case when p.month < p.current_month then coalesce(line.summed_hours, access.summed_hours)
        else coalesce(member.hours, 0) * p.month_days end as "summedHours",
      0 as "reservedHours", 0 as "ownSeconds", line.used_seconds as "billedSeconds",
      coalesce(st.total_hours, fullest.total_hours) as "totalHours",
      coalesce(st.owner_hours, p.owner_hours, (
        select owner_hours from periods where asset_id = p.asset_id order by month desc limit 1
      )) as "ownerHours",
      member.own,
      case when st.id is null then p.starts_at is null or access.days > 0 or member.own else line.id is not null end as counts,
      to_char(p.today, 'YYYY-MM-DD') as today, coalesce(member.active, false) as active,
      case when p.month = p.current_month then json_build_object(
        'passedSeconds', greatest(0, floor(extract(epoch from {now}::timestamptz)) - floor(extract(epoch from p.starts_at)))::bigint,
        'monthSeconds', greatest(0, floor(extract(epoch from p.ends_at)) - floor(extract(epoch from p.starts_at)))::bigint,
        'dayStarts', (
          select json_agg(case when day = p.month then 0
            else greatest(0, floor(extract(epoch from (case
    when ((day at time zone p.time_zone) - interval '1 hour') at time zone p.time_zone >= day
    then (day at time zone p.time_zone) - interval '1 hour'
    else day at time zone p.time_zone
  end))) - floor(extract(epoch from p.starts_at)))::bigint end order by day)
          from generate_series(p.month, p.month + interval '1 month' - interval '1 day', interval '1 day') series (stamp)
          cross join lateral (select stamp::timestamp as day) local
        )
      ) end as running
    from period p
    left join member on true
    cross join lateral (
  select count(*)::int as days, coalesce(sum(hours), 0)::int as summed_hours
  from (
    select day, max(agreed_hours) as hours
    from shares sh cross join lateral (
    select monthly_hours, agreed_hours, counted_hours, tstzrange(since, lead(since) over (order by since)) as during
    from allowances where share_id = sh.id
  ) held
  cross join lateral unnest(
    tstzmultirange(held.during * tstzrange(sh.accepted_at, sh.ended_at) * tstzrange(p.starts_at, p.ends_at))
    - coalesce(
      (select range_agg(tstzrange(since, until)) from archivals where asset_id = sh.asset_id), '{}'::tstzmultirange
    )
  ) piece
    cross join lateral generate_series(
      (case when lower(piece) <= p.starts_at then p.month else greatest(p.month, (lower(piece) at time zone p.time_zone)::date) end)::timestamp,
      (least((p.month + interval '1 month')::date - 1, greatest(p.month, ((upper(piece) - interval '1 microsecond') at time zone p.time_zone)::date)))::timestamp,
      interval '1 day'
    ) day
    where sh.id = any(member.share_ids) and «sharedDuringPeriod(sh, p)»
    group by day
  ) by_day
) access
    left join statements st on st.asset_id = p.asset_id and st.month = p.month
    -- a closed month keeps the names of its statement, also after someone joins
    left join statement_lines line on line.statement_id = st.id and (line.share_id = any(member.share_ids) or member.own and line.role = 'owner')
    cross join lateral (select p.asset_id as id) a
    -- offset keeps the condition inside: as one of the join, it would drop what has been calculated
    left join lateral (select * from «fullestMoment(a, p)» fullest where st.id is null offset 0) fullest on true
    order by lower(coalesce(line.username, member.username))

-- statement of readPeriods
with page as materialized (
      select a.id as asset_id, p.month
      from assets a join periods p on p.asset_id = a.id
      where a.id = any(array(select asset_id from periods where owner_id = {user} and closed_at is null union select asset_id from shares where member_id = {user} and not own and accepted_at is not null))  and p.closed_at is null and p.starts_at <= {now}::timestamptz
        and not «archivedThroughout(a, p)» and (true
  )
        and («actsFor(a, user, p.owner_id)» or exists (
                select 1 from shares sh
                where sh.asset_id = a.id and sh.member_id = {user} and «sharedDuringPeriod(sh, p)»))
      order by a.id, p.month desc
      limit {limit}
    )
    select null as id, a.id as asset_id, coalesce(p.asset_name, a.name) as asset_name,
      coalesce(o.former_id, p.owner_id) as owner_id, o.username as owner, a.currency,
      to_char(p.month, 'YYYY-MM') as month, p.ends_at <= {now}::timestamptz as ended, p.partial,
      coalesce(«actsFor(a, user, p.owner_id)», false) as managed, p.ends_at,
      case when (a.deleted_at is not null and p.ends_at = a.deleted_at) then a.deleted_at end as deleted_at, p.unbilled, (p.ends_at + make_interval(hours => {72}::int)) as closes_at,
      case when p.unbilled then 0 else p.price_cents end as price_cents,
      case when p.unbilled then 0 else coalesce(p.cycle_cents, p.price_cents) end as cycle_cents, p.plan,
      case when not p.unbilled then p.price_parts end as price_parts, «renewalIn(p)» as renewal,
      «priceChanges(p)» as price_changes,
      case when p.ends_at > {now}::timestamptz then «nextPrice(a, p)» end as next_price, «editedSessions(p, now)» as edited_sessions, «silencesInPeriod(p, now)» as silences,
      p.split_method, p.base_percent, p.owner_hours, p.max_hour_cents, p.owner_takes_part, p.measured,
      fullest.total_hours, fullest.places,
      coalesce((
        select sum(used.seconds) from shares sh cross join «usedInPeriod(sh, p, now)» used
        where sh.asset_id = a.id and sh.own and sh.member_id = p.owner_id and p.owner_takes_part
          and «sharedDuringPeriod(sh, p)»
      ), 0)::bigint as owner_seconds, recorded.list as owner_recorded,
      coalesce(members.list, '[]'::json) as members, null as lines, extra.list as costs, p.extra_cost_cents
    from page
    join assets a on a.id = page.asset_id
    join periods p on p.asset_id = page.asset_id and p.month = page.month
    left join users o on o.id = p.owner_id
    cross join «fullestMoment(a, p)» fullest
    cross join lateral (
  select coalesce(json_agg(each order by each.seconds desc, each.source, each.meter), '[]') as list
  from (
    select part.source, m.name as meter, sum(part.seconds)::bigint as seconds
    from shares sh cross join lateral (
  «recordedParts(p, now)») part left join meters m on m.id = part.meter_id
    where sh.asset_id = a.id and sh.own and sh.member_id = p.owner_id and p.owner_takes_part
    group by part.source, m.name
  ) each
  where each.seconds > 0
) recorded
    cross join lateral (
  select json_agg(json_build_object(
    'userId', coalesce(u.former_id, each.member_id), 'username', u.username, 'shareId', each.share_id,
    'allocationHours', each.hours,
    'usedSeconds', each.seconds, 'recorded', recorded.list, 'days', access.days, 'summedHours', access.summed_hours,
    'agreed', agreement.terms, 'lowestPriceCents', lowest.cents,
    'canAgree', each.open and a.archived_at is null and (not exists (select 1 from users where id = each.member_id and (email is null or disabled_at is not null))),
    'objectedAt', each.objected_at, 'confirmedAt', confirmed.confirmed_at
  ) order by lower(u.username)) as list
  from (
    select sh.member_id, max(sh.id) as share_id, (array_agg(allowance.hours order by sh.id desc))[1] as hours,
      sum(used.seconds)::bigint as seconds, bool_or(sh.ended_at is null) as open,
      case when bool_and(sh.objected_at is not null) then max(sh.objected_at) end as objected_at
    from shares sh
    cross join «usedInPeriod(sh, p, now)» used
    cross join lateral (
      select coalesce((
        select monthly_hours from allowances where share_id = sh.id and since < p.ends_at
        order by since desc limit 1
      ), sh.monthly_hours_allocated) as hours
    ) allowance
    where sh.asset_id = a.id and not sh.own and «sharedDuringPeriod(sh, p)»
    group by sh.member_id
  ) each
  join users u on u.id = each.member_id
  left join confirmations confirmed on confirmed.asset_id = a.id and confirmed.month = p.month
    and confirmed.member_id = each.member_id
  cross join lateral (
  select coalesce(json_agg(each order by each.seconds desc, each.source, each.meter), '[]') as list
  from (
    select part.source, m.name as meter, sum(part.seconds)::bigint as seconds
    from shares sh cross join lateral (
  «recordedParts(p, now)») part left join meters m on m.id = part.meter_id
    where sh.asset_id = a.id and sh.member_id = each.member_id and not sh.own
    group by part.source, m.name
  ) each
  where each.seconds > 0
) recorded
  cross join lateral (
  select count(*)::int as days, coalesce(sum(hours), 0)::int as summed_hours
  from (
    select day, max(agreed_hours) as hours
    from shares sh cross join lateral (
    select monthly_hours, agreed_hours, counted_hours, tstzrange(since, lead(since) over (order by since)) as during
    from allowances where share_id = sh.id
  ) held
  cross join lateral unnest(
    tstzmultirange(held.during * tstzrange(sh.accepted_at, sh.ended_at) * tstzrange(p.starts_at, p.ends_at))
    - coalesce(
      (select range_agg(tstzrange(since, until)) from archivals where asset_id = sh.asset_id), '{}'::tstzmultirange
    )
  ) piece
    cross join lateral generate_series(
      (case when lower(piece) <= p.starts_at then p.month else greatest(p.month, (lower(piece) at time zone p.time_zone)::date) end)::timestamp,
      (least((p.month + interval '1 month')::date - 1, greatest(p.month, ((upper(piece) - interval '1 microsecond') at time zone p.time_zone)::date)))::timestamp,
      interval '1 day'
    ) day
    where sh.asset_id = a.id and sh.member_id = each.member_id and not sh.own and «sharedDuringPeriod(sh, p)»
    group by day
  ) by_day
) access
  left join «lastAgreement(a, p, each)» agreement on true
  left join lateral (
    -- the price up to each change of the running month that came after their yes
    select min(from_cents) as cents from price_changes
    where asset_id = a.id and month = p.month and from_cents < p.price_cents
      and changed_at > greatest(agreement.agreed_at, p.starts_at) and changed_at < p.ends_at
  ) lowest on agreement.agreed_at is not null
  where access.days > 0
) members
    cross join «costsOfPeriod(a, p)» extra
    order by page.asset_id, page.month desc

-- statement of readPeriods
select st.id, st.asset_id, st.asset_name, st.owner_id, st.owner_name as owner, st.currency,
      to_char(st.month, 'YYYY-MM') as month, coalesce(p.ends_at <= {now}::timestamptz, true) as ended,
      coalesce(p.partial, false) as partial, coalesce((st.owner_id = {user} or (st.owner_id = a.owner_id and «isCoManagedBy(a, user)»)), false) as managed, st.ends_at,
      st.deleted_at, st.unbilled, st.closes_at, st.price_cents, st.price_parts, st.renewal, null as cycle_cents, null as plan, st.price_changes, null as next_price,
      st.edited_sessions, «silencesInPeriod(p, now)» as silences, st.split_method, st.base_percent, st.owner_hours, st.max_hour_cents, st.owner_takes_part,
      st.measured, st.total_hours, st.places, null as owner_seconds, null as owner_recorded, null as members, lines.list as lines,
      st.costs
    from (
      select st.* from statements st
      where st.id in (select id from statements where owner_id = {user} union select statement_id from statement_lines where user_id = {user} and role = 'member') and (true
  )
        and (st.owner_id = {user}
              or exists (select 1 from assets a where a.id = st.asset_id and (st.owner_id = {user} or (st.owner_id = a.owner_id and «isCoManagedBy(a, user)»)))
              or exists (
                select 1 from statement_lines l where l.statement_id = st.id and l.user_id = {user}))
        order by st.asset_id, st.month desc, st.id limit {limit}
    ) st
    left join assets a on a.id = st.asset_id
    left join periods p on p.asset_id = st.asset_id and p.month = st.month
    left join lateral (
      select json_agg(json_build_object(
        'id', l.id, 'month', to_char(st.month, 'YYYY-MM'), 'user_id', l.user_id, 'username', l.username, 'role', l.role,
        'allocation_hours', l.allocation_hours, 'used_seconds', l.used_seconds, 'sources', l.sources, 'days', l.days,
        'summed_hours', l.summed_hours, 'agreed', l.agreed, 'lowest_price_cents', l.lowest_price_cents,
        'covered_cents', l.covered_cents, 'base_cents', l.base_cents, 'odd_cents', l.odd_cents, 'amount_cents', l.amount_cents,
        'cost_cents', l.cost_cents, 'paid_cents', l.paid_cents, 'place', l.place,
        'sent_cents', l.sent_cents, 'settled_cents', l.settled_cents, 'marked_sent', l.sent_at is not null,
        'marked_paid', l.paid_at is not null, 'since', «lineSince(l)», 'objected_at', l.objected_at
      ) order by l.role = 'member', lower(l.username)) as list
      from statement_lines l where l.statement_id = st.id
    ) lines on true
    order by st.asset_id, st.month desc, st.id

-- statement of openBalances
with owed as materialized (
      select l.id, st.asset_id, st.asset_name, to_char(st.month, 'YYYY-MM') as month, abs(l.amount_cents) as amount_cents, l.sent_cents,
  l.settled_cents, st.currency, (coalesce(l.owner_id = {user}, false) = (l.amount_cents >= 0)) as owed_to_user,
  case when l.owner_id = {user} then l.user_id else l.owner_id end as other_id,
  case when l.owner_id = {user} then coalesce((select username from users where id = l.user_id), l.username) else st.owner_name end as other_name,
  case when l.owner_id = {user} then st.owner_name else coalesce((select username from users where id = l.user_id), l.username) end as own_name, l.sent_at is not null as marked_sent, «lineSince(l)» as since,
        (coalesce(l.owner_id = {user}, false) = (l.amount_cents >= 0)) or (l.owner_id = {user} and not coalesce((select host_id is null from users where id = l.user_id), false)) as marks_paid,
  case when l.sent_cents = 0 then 0 else (
    select coalesce(sum(part.amount_cents), 0)::bigint
    from settlement_parts part join settlements s on s.id = part.settlement_id
    where part.line_id = l.id and s.status = 'sent' and s.payer_id = {user}
  ) end as sent_by_user_cents
      from (
        select * from statement_lines l where l.role = 'member' and l.paid_at is null and l.settled_cents < abs(l.amount_cents) and l.owner_id = {user}
        union all
        select * from statement_lines l where l.role = 'member' and l.paid_at is null and l.settled_cents < abs(l.amount_cents) and l.user_id = {user}
      ) l
      cross join lateral (select * from statements where id = l.statement_id offset 0) st
    ), page as (
      select distinct lower(other_name) as folded, currency, coalesce(other_id, 0) as id, other_name
      from owed
      where (lower(other_name), currency, coalesce(other_id, 0), other_name)
        > (lower({}::text), {}::text, {0}::bigint, {}::text)
      order by folded, currency, id, other_name
      limit {limit}
    )
    select owed.*
    from page p
    join owed on owed.other_name = p.other_name and owed.currency = p.currency and coalesce(owed.other_id, 0) = p.id
    order by p.folded, p.currency, p.id, p.other_name, owed.month, owed.id

-- statement of readSettlements
select s.id, case when s.payer_id = {user} then s.payee_name else s.payer_name end as other_name,
      case when s.payer_id = {user} then s.payer_name else s.payee_name end as own_name,
      (s.payer_id is null or s.payee_id is null
        or exists (select 1 from users where id in (s.payer_id, s.payee_id) and host_id is not null)) as other_is_gone,
      coalesce(s.payer_id = {user}, false) as paid_by_user, s.amount_cents, s.currency, s.settled_at, s.recorded_by,
      s.status, s.status_since,
      (select json_agg(json_build_object('kind', e.kind, 'by_payer', e.by_payer, 'at', e.at) order by e.id)
      from payment_steps e where e.settlement_id = s.id) as steps,
      (select json_agg(json_build_object(
        'id', l.id, 'asset_id', st.asset_id, 'asset_name', st.asset_name, 'month', to_char(st.month, 'YYYY-MM'),
        'amount_cents', abs(l.amount_cents), 'covered_cents', part.amount_cents, 'owed_to_user', (coalesce(l.owner_id = {user}, false) = (l.amount_cents >= 0))
      ) order by st.month, l.id)
      from settlement_parts part
      join statement_lines l on l.id = part.line_id
      join statements st on st.id = l.statement_id
      where part.settlement_id = s.id) as lines
    from (
      select * from settlements
      where (payer_id = {user} or payee_id = {user})
      order by id desc
      limit {limit}
    ) s
    order by s.id desc

-- statement of readDeposits
select d.id, other.id as other_id, d.other_name, d.own_name, a.id as asset_id, d.asset_name, d.amount_cents, d.currency,
      d.recorded_by_giver, d.recorded_at, d.confirmed_at, d.returned_by_giver, d.returned_at, d.return_confirmed_at,
      d.gave, other.email is null as is_alone
    from (
      select *, coalesce(giver_id = {user}, false) as gave,
        case when giver_id = {user} then holder_id else giver_id end as other_id,
        case when giver_id = {user} then holder_name else giver_name end as other_name,
        case when giver_id = {user} then giver_name else holder_name end as own_name
      from deposits
      where (giver_id = {user} or holder_id = {user})
      order by id desc
      limit {limit}
    ) d
    left join users other on other.id = d.other_id and other.former_id is null
    left join assets a on a.id = d.asset_id and a.deleted_at is null
    order by d.id desc
