// A household as HourShare stored it in each released schema, for the upgrade tests. Each group of rows is written if the schema is at
// least `from`, and of each row the columns that the schema has: a dropped column stays here next to the one that replaced it.
// Numbers in columns named id or …_id are moved, and `{n}` is replaced, so that several households fit into one database.

export type Row = Record<string, unknown>;

export interface Group {
  table: string;
  from: string;
  rows: Row[];
}

/** When the upgraded app runs: March has ended in Berlin and is open for edits, and a session runs since March. */
export const UPGRADED_AT = '2026-04-01T10:00:00Z';

/** The secret that signed and sealed what is below. */
export const RELEASED_SECRET = 'a secret that only tests know, 32+ characters';
const SECRET_FINGERPRINT = '6603ad85f9587a1c01cc3cf810efa4a62fc30d5124a55bafc7269cb34c7b3538';

/** The passwords of the hashes below; Ben's was hashed as he typed it, before passwords were normalized. */
export const PASSWORD = 'correct horse battery';
export const TYPED_PASSWORD = 'ku\u0308hler Morgen';
const PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$XODM25QsQVNaz67wcxCsSQ$8pBB2lcf9fXZ2mRhhqiiPwYbRq5nFdwoiHmoguxK8v8';
const TYPED_PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$Q5Kt0iu29YFh/WdU9xO8Dw$9yYLoOJ2x8zt11wLOxGSPUPIFdcjg5C2cuW02eTcfNw';

/** What the earlier version issued: Mira's sign-in, Sam's second step, the tokens of Ana's scripts, and links. */
export const ISSUED = {
  refreshToken: 'sign-in-of-mira.3.sAm7KlJimYIlmr6CYv4YtSxScs1tyiWtOlW2Xjo5-hY',
  recoveryCode: 'abcd-efgh-jkmn-pqrs',
  twoStepKey: '476UCQUAKQKPADEW64PPNEEOL4TY6Z2Z',
  accountToken: 'hs_of_the_account',
  shareToken: 'hs_of_a_share',
  invitation: 'invitation of an earlier version',
  claim: 'claim of an earlier version',
  reset: 'reset of an earlier version',
  emailChange: 'address of an earlier version',
};

const [MIRA, ANA, BEN, KIM, GRANDMA, ZOE, MAX, SAM] = [1, 2, 3, 4, 5, 6, 7, 8];
const [FILMS, CAR, CABIN, BOAT] = [1, 2, 3, 4];
const BERLIN = 'Europe/Berlin';

/** The first moments of the months in Berlin, which changes to summer time on March 29. */
const STARTS = {
  '2026-01-01': '2025-12-31T23:00:00Z',
  '2026-02-01': '2026-01-31T23:00:00Z',
  '2026-03-01': '2026-02-28T23:00:00Z',
  '2026-04-01': '2026-03-31T22:00:00Z',
  '2026-05-01': '2026-04-30T22:00:00Z',
  '2026-06-01': '2026-05-31T22:00:00Z',
  '2026-07-01': '2026-06-30T22:00:00Z',
};
const ADDED = STARTS['2026-01-01'];
/** 72 hours after a month: when January and February closed. */
const CLOSED: Row = { '2026-01-01': '2026-02-03T23:00:00Z', '2026-02-01': '2026-03-03T23:00:00Z' };

const user = (id: number, username: string, more: Row = {}): Row => ({
  id,
  username: `${username}{n}`,
  email: `${username}{n}@example.org`,
  password_hash: PASSWORD_HASH,
  time_zone: BERLIN,
  email_notifications: true,
  usage_reminders: false,
  created_at: '2025-12-20T09:00:00Z',
  ...more,
});

const noAccount = { email: null, password_hash: null };

const asset = (id: number, owner: number, name: string, more: Row = {}): Row => ({
  id,
  owner_id: owner,
  name,
  description: 'Shared at home',
  currency: 'EUR',
  time_zone: BERLIN,
  split_method: 'usage',
  base_percent: 0,
  owner_hours: 0,
  max_session_hours: 24,
  first_open_month: '2026-03-01',
  created_at: ADDED,
  ...more,
});

/** The months of an asset from January to June, the first two of which are closed. */
function periods(assetId: number, owner: number, more: (month: string) => Row): Row[] {
  const months = Object.entries(STARTS);
  return months.slice(0, -1).map(([month, start], index) => ({
    asset_id: assetId,
    month,
    time_zone: BERLIN,
    starts_at: start,
    ends_at: months[index + 1]?.[1],
    price_since: '2026-01-01',
    split_method: 'usage',
    base_percent: 0,
    owner_hours: 0,
    max_session_hours: 24,
    owner_id: owner,
    closed_at: CLOSED[month] ?? null,
    by_day: true,
    ...more(month),
  }));
}

const share = (id: number, assetId: number, member: number, hours: number, more: Row = {}): Row => ({
  id,
  asset_id: assetId,
  member_id: member,
  monthly_hours_allocated: hours,
  created_at: ADDED,
  accepted_at: ADDED,
  ...more,
});

const session = (id: number, shareId: number, start: string, end: string | null, more: Row = {}): Row => ({
  id,
  share_id: shareId,
  started_at: start,
  ended_at: end,
  ends_by: new Date(Date.parse(start) + 24 * 3_600_000).toISOString(),
  ...more,
});

const day = (shareId: number, date: string, seconds: number, sessions = 1): Row => ({
  share_id: shareId,
  day: date,
  seconds,
  sessions,
});

const statement = (id: number, assetId: number, name: string, month: string, owner: number, more: Row): Row => ({
  id,
  asset_id: assetId,
  asset_name: name,
  month,
  owner_id: owner,
  owner_name: owner === MIRA ? 'mira{n}' : 'ana{n}',
  currency: 'EUR',
  split_method: 'usage',
  base_percent: 0,
  owner_hours: 0,
  closes_at: CLOSED[month],
  closed_at: CLOSED[month],
  ends_at: month === '2026-01-01' ? STARTS['2026-02-01'] : STARTS['2026-03-01'],
  ...more,
});

const line = (id: number, statementId: number, [owner, member]: [number, number], name: string, more: Row): Row => ({
  id,
  statement_id: statementId,
  owner_id: owner,
  user_id: member,
  username: `${name}{n}`,
  role: owner === member ? 'owner' : 'member',
  allocation_hours: 0,
  used_seconds: 0,
  base_cents: 0,
  odd_cents: 0,
  ...more,
});

const settlement = (id: number, payer: string, payee: string, cents: number, at: string, more: Row = {}): Row => ({
  id,
  payer_id: { mira: MIRA, ben: BEN }[payer],
  payer_name: `${payer}{n}`,
  payee_id: { mira: MIRA, ana: ANA }[payee],
  payee_name: `${payee}{n}`,
  recorded_by: `${payee}{n}`,
  amount_cents: cents,
  currency: 'EUR',
  settled_at: at,
  status: 'paid',
  status_since: at,
  ...more,
});

const NOW = UPGRADED_AT;
const SOON = '2026-04-01T10:20:00Z';
const RECENTLY = '2026-04-01T09:50:00Z';

/** In the order in which the rows refer to each other. */
export const household: Group[] = [
  {
    table: 'users',
    from: '0001',
    rows: [
      user(MIRA, 'mira', {
        payment_iban: 'DE89370400440532013000',
        payment_link: 'https://pay.example/mira',
        payment_text: 'Or in cash',
        reminded_week: '2026-03-30',
        reminded_month: '2026-03-01',
      }),
      user(ANA, 'ana', { language: 'de' }),
      user(BEN, 'ben', { password_hash: TYPED_PASSWORD_HASH }),
      user(KIM, 'kim', { time_zone: 'America/New_York' }),
      user(MAX, 'max', { disabled_at: '2026-03-20T10:00:00Z' }),
      user(SAM, 'sam', { two_step_since: '2026-03-20T10:00:00Z' }),
    ],
  },
  {
    table: 'users',
    from: '0018',
    rows: [user(GRANDMA, '', { ...noAccount, username: 'Grandma (mira{n})', keeper_id: MIRA })],
  },
  { table: 'users', from: '0023', rows: [user(ZOE, 'zoe', { ...noAccount, former_id: 900 })] },

  {
    table: 'passkeys',
    from: '0026',
    rows: [
      {
        id: 1,
        user_id: ANA,
        credential_id: 'Y3JlZGVudGlhbA{n}',
        user_handle: 'aGFuZGxl{n}',
        public_key: 'pQECAyYgASFYIA',
        counter: 7,
        transports: ['internal', 'hybrid'],
        backed_up: true,
        name: 'Phone',
        device: 'Mozilla/5.0',
        created_at: '2026-03-02T10:00:00Z',
        last_used_at: '2026-03-31T10:00:00Z',
      },
    ],
  },
  {
    table: 'used_challenges',
    from: '0026',
    rows: [{ challenge_hash: 'c1{n}', expires_at: SOON }],
  },
  {
    table: 'sign_ins',
    from: '0001',
    rows: [
      {
        id: 1,
        user_id: MIRA,
        handle: 'sign-in-of-mira{n}',
        generation: 3,
        refresh_hash: '9548793aa72246838e271ae2d3de7b40f66a59ac4a61eb374bbc39a966935e7c',
        replaced_at: '2026-03-31T09:00:00Z',
        created_at: '2026-03-01T09:00:00Z',
        last_used_at: '2026-03-31T09:00:00Z',
        expires_at: '2026-04-30T09:00:00Z',
        device: 'Mozilla/5.0',
        name: 'Laptop',
        checked_at: '2026-03-31T09:00:00Z',
        checked_with: 'password',
      },
      {
        id: 2,
        user_id: ANA,
        handle: 'sign-in-of-ana{n}',
        refresh_hash: '',
        created_at: '2026-03-02T09:00:00Z',
        last_used_at: '2026-03-03T09:00:00Z',
        expires_at: '2026-04-02T09:00:00Z',
        ended_at: '2026-03-03T10:00:00Z',
        device: '',
        passkey_id: 1,
      },
    ],
  },

  {
    table: 'assets',
    from: '0001',
    rows: [
      asset(FILMS, MIRA, 'Films', { max_session_hours: 30 }),
      asset(CAR, ANA, 'Car', { split_method: 'equal', restored_at: ADDED }),
      // In London in January, and under other terms until March.
      asset(CABIN, MIRA, 'Cabin', {
        owner_hours: 10,
        created_at: '2026-01-01T00:00:00Z',
        archived_at: '2026-02-20T12:00:00Z',
        past_time_zones: { '2026-02-01': 'Europe/London' },
      }),
    ],
  },
  {
    table: 'assets',
    from: '0017',
    rows: [asset(BOAT, MIRA, 'Boat', { created_at: '2026-03-05T12:00:00Z', deleted_at: '2026-03-31T12:00:00Z' })],
  },
  {
    table: 'prices',
    from: '0001',
    rows: [
      { asset_id: FILMS, from_month: '2026-01-01', price_cents: 1000 },
      { asset_id: FILMS, from_month: '2026-03-01', price_cents: 1200 },
      { asset_id: FILMS, from_month: '2026-05-01', price_cents: 1500 },
      { asset_id: CAR, from_month: '2026-01-01', price_cents: 3000 },
      { asset_id: CABIN, from_month: '2026-01-01', price_cents: 500 },
    ],
  },
  {
    table: 'past_split_terms',
    from: '0002',
    rows: [
      { asset_id: CABIN, before_month: '2026-03-01', split_method: 'allocation', base_percent: 0, owner_hours: 5 },
    ],
  },
  {
    table: 'archivals',
    from: '0011',
    rows: [
      { asset_id: CABIN, since: '2026-01-10T12:00:00Z', until: '2026-01-12T12:00:00Z' },
      { asset_id: CABIN, since: '2026-02-20T12:00:00Z', until: null },
    ],
  },
  {
    table: 'periods',
    from: '0006',
    rows: [
      ...periods(FILMS, MIRA, (month) => ({
        max_session_hours: 30,
        ...(month < '2026-03'
          ? { price_cents: 1000 }
          : month < '2026-05'
            ? { price_cents: 1200, price_since: '2026-03-01' }
            : { price_cents: 1500, price_since: '2026-05-01' }),
        ...(month === '2026-03-01' && { extended_until: '2026-04-04T22:00:00Z' }),
      })),
      ...periods(CAR, ANA, () => ({ price_cents: 3000, split_method: 'equal' })),
      ...periods(CABIN, MIRA, (month) => ({
        price_cents: 500,
        partial: month === '2026-02-01',
        ...(month < '2026-03' ? { split_method: 'allocation', owner_hours: 5 } : { owner_hours: 10 }),
        ...(month === '2026-01-01' && {
          time_zone: 'Europe/London',
          starts_at: '2026-01-01T00:00:00Z',
          ends_at: '2026-02-01T00:00:00Z',
          asset_name: 'Hut',
        }),
        ...(month === '2026-02-01' && { starts_at: '2026-02-01T00:00:00Z' }),
      })),
    ],
  },
  {
    table: 'periods',
    from: '0017',
    rows: periods(BOAT, MIRA, () => ({ price_cents: 700, price_since: '2026-03-01', partial: true, unbilled: true }))
      .filter(({ month }) => month === '2026-03-01')
      .map((march) => ({ ...march, ends_at: '2026-03-31T12:00:00Z' })),
  },
  {
    table: 'price_changes',
    from: '0014',
    rows: [
      {
        id: 1,
        asset_id: FILMS,
        month: '2026-03-01',
        changed_at: '2026-02-25T10:00:00Z',
        from_cents: 1000,
        from_currency: 'EUR',
        to_cents: 1200,
        to_currency: 'EUR',
      },
    ],
  },
  {
    table: 'term_proposals',
    from: '0014',
    rows: [
      {
        id: 1,
        asset_id: FILMS,
        month: '2026-04-01',
        split_method: 'equal',
        base_percent: 0,
        owner_hours: 0,
        max_session_hours: 12,
        proposed_at: '2026-04-01T08:00:00Z',
      },
      {
        id: 2,
        asset_id: FILMS,
        month: '2026-03-01',
        split_method: 'equal',
        base_percent: 0,
        owner_hours: 0,
        max_session_hours: 12,
        proposed_at: '2026-03-02T08:00:00Z',
        withdrawn_at: '2026-03-03T08:00:00Z',
      },
      {
        id: 3,
        asset_id: FILMS,
        month: '2026-03-01',
        split_method: 'usage',
        base_percent: 0,
        owner_hours: 0,
        max_session_hours: 30,
        proposed_at: '2026-03-05T08:00:00Z',
        applied_at: '2026-03-06T08:00:00Z',
      },
    ],
  },
  {
    table: 'term_answers',
    from: '0014',
    rows: [{ proposal_id: 1, member_id: ANA, agreed: true, answered_at: '2026-04-01T09:00:00Z' }],
  },

  {
    table: 'shares',
    from: '0001',
    rows: [
      share(1, FILMS, ANA, 20, { manager_since: '2026-02-01T10:00:00Z' }),
      share(2, FILMS, BEN, 20),
      share(3, CAR, MIRA, 12),
      share(4, CAR, KIM, 8, { ended_at: '2026-02-14T23:00:00Z' }),
    ],
  },
  {
    table: 'shares',
    from: '0010',
    rows: [share(5, CAR, BEN, 8, { created_at: '2026-03-30T10:00:00Z', accepted_at: null })],
  },
  {
    table: 'shares',
    from: '0018',
    rows: [share(7, FILMS, GRANDMA, 5, { created_at: STARTS['2026-03-01'], accepted_at: STARTS['2026-03-01'] })],
  },
  {
    table: 'shares',
    from: '0023',
    rows: [
      share(8, CAR, ZOE, 8, {
        accepted_at: null,
        ended_at: '2026-01-02T10:00:00Z',
        objected_at: '2026-01-02T10:00:00Z',
      }),
    ],
  },
  {
    table: 'past_allocations',
    from: '0002',
    rows: [{ share_id: 3, before_month: '2026-03-01', monthly_hours_allocated: 8 }],
  },
  {
    table: 'allowances',
    from: '0006',
    rows: [
      { share_id: 1, since: ADDED, monthly_hours: 20 },
      { share_id: 2, since: ADDED, monthly_hours: 20 },
      { share_id: 3, since: ADDED, monthly_hours: 8 },
      { share_id: 3, since: STARTS['2026-03-01'], monthly_hours: 12 },
      { share_id: 4, since: ADDED, monthly_hours: 8 },
    ],
  },
  { table: 'allowances', from: '0018', rows: [{ share_id: 7, since: STARTS['2026-03-01'], monthly_hours: 5 }] },
  {
    table: 'invitations',
    from: '0013',
    rows: [
      {
        id: 6,
        asset_id: FILMS,
        token_hash: 'c206e4a109ce20762eeac06a6683a0d03f7f43ae85e7a2da3e0e7ebc2647fec8{n}',
        monthly_hours_allocated: 5,
        created_at: '2026-03-30T10:00:00Z',
        expires_at: '2026-04-06T10:00:00Z',
      },
    ],
  },
  {
    table: 'trusted_owners',
    from: '0010',
    rows: [{ member_id: BEN, owner_id: MIRA, created_at: '2026-03-01T10:00:00Z' }],
  },
  {
    table: 'claims',
    from: '0018',
    rows: [
      {
        person_id: GRANDMA,
        token_hash: '42a60194728fff1d5decfc805ce9d552616b9f84d93e53a0d206f85f9a7fb8bd{n}',
        created_at: '2026-03-30T10:00:00Z',
        expires_at: '2026-04-06T10:00:00Z',
      },
    ],
  },
  {
    table: 'handovers',
    from: '0028',
    rows: [
      { asset_id: CAR, share_id: 3, stay_hours: 5, offered_at: '2026-04-01T07:00:00Z' },
      {
        asset_id: FILMS,
        share_id: 2,
        stay_hours: null,
        offered_at: '2026-04-01T07:00:00Z',
        month: '2026-05-01',
        agreed: {
          price_cents: 1500,
          currency: 'EUR',
          split_method: 'usage',
          base_percent: 0,
          owner_hours: 0,
          max_session_hours: 30,
          time_zone: BERLIN,
          next_price: null,
        },
      },
    ],
  },
  {
    table: 'manager_changes',
    from: '0029',
    rows: [{ id: 1, asset_id: FILMS, user_id: ANA, kind: 'hours', share_id: 2, changed_at: '2026-02-02T10:00:00Z' }],
  },

  {
    table: 'sessions',
    from: '0001',
    rows: [
      session(1, 1, '2026-01-10T10:00:00Z', '2026-01-10T14:00:00Z'),
      session(2, 2, '2026-01-20T18:00:00Z', '2026-01-20T20:00:00Z', { added_late: 'end' }),
      session(3, 1, '2026-02-05T10:00:00Z', '2026-02-05T13:00:00Z'),
      // Its recorded times came to count again when February closed.
      session(4, 2, '2026-02-10T09:00:00Z', '2026-02-10T11:00:00Z', {
        was_started_at: '2026-02-10T09:00:00Z',
        was_ended_at: '2026-02-10T11:00:00Z',
        edited_at: '2026-02-11T09:00:00Z',
        restored_at: '2026-03-03T23:00:00Z',
      }),
      // From February into March.
      session(5, 1, '2026-02-28T22:00:00Z', '2026-03-01T01:00:00Z'),
      session(6, 2, '2026-03-10T17:00:00Z', '2026-03-10T18:30:00Z', {
        was_started_at: '2026-03-10T17:00:00Z',
        was_ended_at: '2026-03-10T19:00:00Z',
        edited_at: '2026-03-10T20:00:00Z',
        extended: true,
      }),
      // Through the night in which summer time begins.
      session(7, 1, '2026-03-28T22:30:00Z', '2026-03-29T02:30:00Z'),
      session(8, 4, '2026-01-15T12:00:00Z', '2026-01-15T13:00:00Z'),
      session(9, 3, '2026-02-01T09:00:00Z', '2026-02-01T10:30:00Z'),
      // Active since March.
      session(10, 1, '2026-03-31T20:00:00Z', null),
    ],
  },
  {
    table: 'sessions',
    from: '0018',
    rows: [session(11, 7, '2026-03-15T15:00:00Z', '2026-03-15T16:00:00Z', { recorded_by_owner: true })],
  },
  {
    table: 'removed_sessions',
    from: '0003',
    rows: [
      {
        id: 12,
        share_id: 2,
        started_at: '2026-03-12T17:00:00Z',
        ended_at: '2026-03-12T18:00:00Z',
        removed_at: '2026-03-13T08:00:00Z',
        recorded_by_owner: false,
        added_late: 'both',
      },
    ],
  },
  {
    table: 'usage_days',
    from: '0006',
    rows: [
      day(1, '2026-01-10', 14_400),
      day(1, '2026-02-05', 10_800),
      day(1, '2026-02-28', 3600),
      day(1, '2026-03-01', 7200),
      day(1, '2026-03-28', 1800),
      day(1, '2026-03-29', 12_600, 0),
      day(2, '2026-01-20', 7200),
      day(2, '2026-02-10', 7200),
      day(2, '2026-03-10', 5400),
      day(3, '2026-02-01', 5400),
      day(4, '2026-01-15', 3600),
    ],
  },
  { table: 'usage_days', from: '0018', rows: [day(7, '2026-03-15', 3600)] },
  {
    table: 'confirmations',
    from: '0015',
    rows: [{ asset_id: CAR, month: '2026-03-01', member_id: MIRA, confirmed_at: '2026-04-01T08:00:00Z' }],
  },
  {
    table: 'objections',
    from: '0016',
    rows: [
      {
        id: 1,
        share_id: 2,
        session_id: 4,
        status: 'upheld',
        objected_at: '2026-02-12T09:00:00Z',
        resolved_at: '2026-03-03T23:00:00Z',
      },
      {
        id: 2,
        share_id: 2,
        session_id: 6,
        status: 'open',
        automatic: false,
        objected_at: '2026-03-11T09:00:00Z',
        resolved_at: null,
        manager_id: ANA,
      },
    ],
  },
  {
    table: 'objection_messages',
    from: '0016',
    rows: [
      {
        id: 1,
        objection_id: 2,
        by_owner: true,
        text: 'It ran until 8.',
        sent_at: '2026-03-11T09:00:00Z',
        manager_id: ANA,
      },
      { id: 2, objection_id: 2, by_owner: false, text: 'I forgot to end it.', sent_at: '2026-03-11T10:00:00Z' },
    ],
  },

  {
    table: 'settlements',
    from: '0002',
    rows: [
      settlement(1, 'ben', 'mira', 50, '2026-02-05T10:00:00Z'),
      // Mira's part of the car, less Ana's of the films.
      settlement(2, 'mira', 'ana', 900, '2026-02-06T10:00:00Z'),
    ],
  },
  {
    table: 'settlements',
    from: '0012',
    rows: [
      settlement(3, 'ben', 'mira', 20, '2026-03-05T10:00:00Z', { recorded_by: 'ben{n}', status: 'sent' }),
      settlement(4, 'ben', 'mira', 50, '2026-03-04T10:00:00Z', {
        recorded_by: 'ben{n}',
        status: 'undone',
        status_since: '2026-03-04T11:00:00Z',
      }),
    ],
  },
  {
    table: 'settlement_events',
    from: '0012',
    rows: [
      { id: 1, settlement_id: 1, kind: 'paid', by_payer: false, at: '2026-02-05T10:00:00Z' },
      { id: 2, settlement_id: 2, kind: 'paid', by_payer: false, at: '2026-02-06T10:00:00Z' },
      { id: 3, settlement_id: 4, kind: 'sent', by_payer: true, at: '2026-03-04T10:00:00Z' },
      { id: 4, settlement_id: 4, kind: 'undone', by_payer: true, at: '2026-03-04T11:00:00Z' },
      { id: 5, settlement_id: 3, kind: 'sent', by_payer: true, at: '2026-03-05T10:00:00Z' },
    ],
  },
  {
    table: 'statements',
    from: '0002',
    rows: [
      statement(1, FILMS, 'Films', '2026-01-01', MIRA, { price_cents: 1000, offered_seconds: 144_000 }),
      statement(2, FILMS, 'Films', '2026-02-01', MIRA, { price_cents: 1000, offered_seconds: 144_000 }),
      statement(3, CAR, 'Car', '2026-01-01', ANA, {
        price_cents: 3000,
        offered_seconds: 57_600,
        split_method: 'equal',
        price_changes: [
          {
            changed_at: '2026-01-03T10:00:00+00:00',
            from_cents: 2900,
            from_currency: 'EUR',
            to_cents: 3000,
            to_currency: 'EUR',
          },
        ],
      }),
      statement(4, CAR, 'Car', '2026-02-01', ANA, {
        price_cents: 3000,
        offered_seconds: 57_600,
        split_method: 'equal',
      }),
      statement(5, CABIN, 'Hut', '2026-01-01', MIRA, {
        price_cents: 500,
        offered_seconds: 18_000,
        split_method: 'allocation',
        owner_hours: 5,
        closes_at: '2026-02-04T00:00:00Z',
        closed_at: '2026-02-04T00:00:00Z',
        ends_at: '2026-02-01T00:00:00Z',
      }),
      statement(6, CABIN, 'Cabin', '2026-02-01', MIRA, {
        price_cents: 500,
        offered_seconds: 18_000,
        split_method: 'allocation',
        owner_hours: 5,
      }),
    ],
  },
  {
    table: 'statements',
    from: '0017',
    rows: [
      {
        ...statement(7, CABIN, 'Kayak', '2026-01-01', MIRA, { price_cents: 0, offered_seconds: 0 }),
        asset_id: null,
        unbilled: true,
        deleted_at: '2026-01-31T12:00:00Z',
        ends_at: '2026-01-31T12:00:00Z',
        edited_sessions: [],
      },
    ],
  },
  {
    table: 'statement_lines',
    from: '0002',
    rows: [
      line(1, 1, [MIRA, MIRA], 'mira', { days: 31, hour_days: 0, amount_cents: 850 }),
      line(2, 1, [MIRA, ANA], 'ana', {
        allocation_hours: 20,
        used_seconds: 14_400,
        days: 31,
        hour_days: 620,
        amount_cents: 100,
        settlement_id: 2,
        settled_cents: 100,
        share_id: 1,
      }),
      line(3, 1, [MIRA, BEN], 'ben', {
        allocation_hours: 20,
        used_seconds: 7200,
        days: 31,
        hour_days: 620,
        amount_cents: 50,
        settlement_id: 1,
        settled_cents: 50,
        share_id: 2,
      }),
      line(4, 2, [MIRA, MIRA], 'mira', { days: 28, hour_days: 0, amount_cents: 850 }),
      line(5, 2, [MIRA, ANA], 'ana', {
        allocation_hours: 20,
        used_seconds: 14_400,
        days: 28,
        hour_days: 560,
        amount_cents: 100,
        share_id: 1,
      }),
      line(6, 2, [MIRA, BEN], 'ben', {
        allocation_hours: 20,
        used_seconds: 7200,
        days: 28,
        hour_days: 560,
        amount_cents: 50,
        sent_cents: 20,
        share_id: 2,
      }),
      line(7, 3, [ANA, ANA], 'ana', { days: 31, hour_days: 0, amount_cents: 1000 }),
      line(8, 3, [ANA, MIRA], 'mira', {
        allocation_hours: 8,
        days: 31,
        hour_days: 248,
        amount_cents: 1000,
        settlement_id: 2,
        settled_cents: 1000,
        share_id: 3,
      }),
      line(9, 3, [ANA, KIM], 'kim', {
        allocation_hours: 8,
        used_seconds: 3600,
        days: 31,
        hour_days: 248,
        amount_cents: 1000,
        paid_at: '2026-02-06T10:00:00Z',
        objected_at: '2026-02-06T10:00:00Z',
        share_id: 4,
      }),
      line(10, 4, [ANA, ANA], 'ana', { days: 28, hour_days: 0, amount_cents: 1200 }),
      line(11, 4, [ANA, MIRA], 'mira', {
        allocation_hours: 8,
        used_seconds: 5400,
        days: 28,
        hour_days: 224,
        amount_cents: 1200,
        share_id: 3,
      }),
      line(12, 4, [ANA, KIM], 'kim', {
        allocation_hours: 8,
        days: 14,
        hour_days: 112,
        amount_cents: 600,
        sent_at: '2026-03-05T10:00:00Z',
        share_id: 4,
      }),
      line(13, 5, [MIRA, MIRA], 'mira', { allocation_hours: 5, days: 31, hour_days: 155, amount_cents: 500 }),
      line(14, 6, [MIRA, MIRA], 'mira', { allocation_hours: 5, days: 28, hour_days: 140, amount_cents: 500 }),
    ],
  },
  {
    table: 'statement_lines',
    from: '0017',
    rows: [line(15, 7, [MIRA, MIRA], 'mira', { days: 31, hour_days: 0, amount_cents: 0 })],
  },
  {
    table: 'settlement_parts',
    from: '0012',
    rows: [
      { settlement_id: 1, line_id: 3, amount_cents: 50 },
      { settlement_id: 2, line_id: 8, amount_cents: 1000 },
      { settlement_id: 2, line_id: 2, amount_cents: 100 },
      { settlement_id: 3, line_id: 6, amount_cents: 20 },
      { settlement_id: 4, line_id: 6, amount_cents: 50 },
    ],
  },

  {
    table: 'idempotency_keys',
    from: '0001',
    rows: [{ user_id: MIRA, key: 'a1', request_hash: '0', status: 201, body: '{}', created_at: RECENTLY }],
  },
  {
    table: 'installation',
    from: '0007',
    rows: [
      {
        id: 1,
        secret_fingerprint: SECRET_FINGERPRINT,
        registration: 'invited',
        backed_up_at: RECENTLY,
        backup_failed_at: NOW,
        push_public_key: 'unread',
        push_sealed_key: 'unread',
        periods_extended_at: '2026-02-01T00:00:00Z',
      },
    ],
  },
  {
    table: 'mails',
    from: '0020',
    rows: [
      {
        id: 1,
        user_id: MIRA,
        kind: 'password_reset',
        sealed: 'unread',
        created_at: RECENTLY,
        attempts: 1,
        due_at: SOON,
      },
    ],
  },
  {
    table: 'password_resets',
    from: '0020',
    rows: [
      {
        id: 1,
        user_id: MIRA,
        token_hash: 'e11c22ab95c82f326d88a878f6f7407c131a2610e4c625b8fea3d82fedcfc116{n}',
        created_at: RECENTLY,
        expires_at: SOON,
      },
    ],
  },
  {
    table: 'email_changes',
    from: '0020',
    rows: [
      {
        user_id: KIM,
        email: 'kim{n}@new.example',
        token_hash: '9520d72fcef72d5a905ba898a4c299818aab7b8310f62fd41c319515efe30a24{n}',
        created_at: RECENTLY,
        expires_at: SOON,
      },
    ],
  },
  {
    table: 'two_step_keys',
    from: '0025',
    rows: [
      {
        user_id: SAM,
        sealed: '6kXISDQ4vv2G8PYgDxVKfaW1Of4ZEBqmCtsjDl3cOLKfU-oCeg1HBsFSQBT27cvIkFDiryUofgu4F74H',
        created_at: '2026-03-20T10:00:00Z',
        last_step: 1,
      },
    ],
  },
  {
    table: 'recovery_codes',
    from: '0025',
    rows: [{ user_id: SAM, code_hash: '54a4c55a9009eae9f27d09ce2693cecaa2f44fd29978f881c314b3c88d7307bb' }],
  },
  {
    table: 'access_tokens',
    from: '0027',
    rows: [
      {
        id: 1,
        user_id: ANA,
        name: 'Spreadsheet',
        token_hash: '5347af599e66958dc0ee2f22fbce32ed09432d16855057f770306209cfa0a46f{n}',
        scope: 'account',
        created_at: '2026-03-01T10:00:00Z',
        expires_at: '2026-05-30T10:00:00Z',
      },
      {
        id: 2,
        user_id: ANA,
        name: 'Button',
        token_hash: '708b4213e118ef10469671943595d5abe65152c7dc38d93953d5eb7d17c41186{n}',
        scope: 'share',
        share_id: 1,
        created_at: '2026-03-01T10:00:00Z',
        last_used_at: NOW,
        expires_at: '2026-05-30T10:00:00Z',
      },
    ],
  },
  {
    table: 'identities',
    from: '0030',
    rows: [
      {
        id: 1,
        user_id: BEN,
        provider: 'google',
        issuer: 'https://accounts.google.com',
        subject: 'ben{n}',
        name: 'ben@example.org',
        created_at: '2026-03-01T10:00:00Z',
        last_used_at: '2026-03-02T10:00:00Z',
      },
    ],
  },
  {
    table: 'provider_flows',
    from: '0030',
    rows: [
      {
        id: 1,
        step: 'state',
        token_hash: 'f1{n}',
        browser_hash: 'f2',
        provider: 'google',
        purpose: 'sign-in',
        sealed: 'unread',
        created_at: RECENTLY,
        expires_at: SOON,
      },
    ],
  },
  {
    table: 'security_events',
    from: '0031',
    rows: [
      {
        id: 1,
        user_id: MIRA,
        event: 'signed_in',
        detail: 'password',
        count: 1,
        actor: 'other',
        actor_id: ANA,
        browser: 'Firefox',
        system: 'Windows',
        sign_in_id: 1,
        happened_at: RECENTLY,
        last_at: RECENTLY,
        hour: RECENTLY,
      },
      {
        id: 2,
        former_id: 900,
        event: 'account_deleted',
        count: 1,
        actor: 'administrator',
        happened_at: RECENTLY,
        last_at: RECENTLY,
      },
    ],
  },
  {
    table: 'outbox',
    from: '0033',
    rows: [
      {
        id: 1,
        kind: 'session_edited',
        asset_id: FILMS,
        share_id: 1,
        actor_id: ANA,
        user_ids: [MIRA],
        data: {},
        happened_at: RECENTLY,
        failed_at: RECENTLY,
      },
    ],
  },
  {
    table: 'live_events',
    from: '0033',
    rows: [{ id: 1, kind: 'session', user_ids: [MIRA], data: {}, happened_at: RECENTLY }],
  },
  { table: 'dispatcher', from: '0033', rows: [{ only_row: true }] },
  { table: 'job_runs', from: '0035', rows: [{ job: 'tell of months and balances', started_at: RECENTLY }] },
  {
    table: 'notices',
    from: '0033',
    rows: [
      {
        id: 1,
        user_id: MIRA,
        kind: 'access_accepted',
        cause: 'share 2',
        actor_id: BEN,
        asset_id: FILMS,
        asset_name: 'Films',
        share_id: 2,
        data: {},
        created_at: RECENTLY,
        in_bell: true,
        read_at: RECENTLY,
        mail_due_at: SOON,
        push_due_at: SOON,
        push_attempts: 1,
        pushed_to: [1],
      },
    ],
  },
  {
    table: 'notice_choices',
    from: '0033',
    rows: [{ user_id: MIRA, kind: 'access_accepted', bell: true, mail: false, push: true }],
  },
  {
    table: 'push_subscriptions',
    from: '0033',
    rows: [
      {
        id: 1,
        user_id: MIRA,
        sign_in_id: 1,
        endpoint: 'https://push.example/mira{n}',
        sealed: 'unread',
        created_at: RECENTLY,
      },
    ],
  },
];
