import pg from 'pg';

// Finds statements that read all of a table: fast in tests, which have few rows, and slow on a server that many use.

/** How many rows of each table are added, at least. */
const CROWD = 4_000;

/** How many times as many the planner believes there are, so that it reads a whole table only if it must. */
const TIMES = 50;

/** What a statement may read of one table. */
const MAX_READ = 800;

/** What the API and the jobs have executed: values by text. */
export interface Watched {
  statements: Map<string, unknown[]>;
  /** Connects to the database in which they ran. */
  connect: () => Promise<pg.Client>;
}

/** Records every statement with parameters that this process sends to PostgreSQL from now on. */
export function watchStatements(): Watched {
  const statements = new Map<string, unknown[]>();
  let place: pg.ClientConfig | undefined;
  const { prototype } = pg.Client;
  // oxlint-disable-next-line unbound-method -- one of many overloads; it is called as the client's own
  const query = prototype.query as unknown as (...given: unknown[]) => unknown;
  Object.assign(prototype, {
    query(this: pg.Client, statement: unknown, ...rest: unknown[]) {
      if (isStatement(statement) && !statements.has(statement.text)) {
        statements.set(statement.text, statement.values ?? []);
        place ??= {
          host: this.host,
          port: this.port,
          user: this.user,
          password: this.password,
          database: this.database,
        };
      }
      return query.call(this, statement, ...rest);
    },
  });
  return {
    statements,
    connect: async () => {
      Object.assign(prototype, { query });
      const client = new pg.Client(place);
      await client.connect();
      return client;
    },
  };
}

const isStatement = (given: unknown): given is { text: string; values?: unknown[] } =>
  typeof given === 'object' && given !== null && 'text' in given && typeof given.text === 'string';

interface Column {
  table: string;
  name: string;
  type: string;
  /** Whether it is in a unique index. */
  unique: boolean;
}

/** Copies the rows of every table, with ids of their own, until each has many. In a transaction that the caller ends. */
export async function addCrowd(client: pg.Client): Promise<void> {
  await client.query(
    'set local session_replication_role = replica; set local jit = off; set local synchronous_commit = off',
  );
  const { rows } = await client.query<Column>(`
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
      exists (select 1 from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = any(i.indkey))
        or (c.relname, a.attname) in (('users', 'username'), ('users', 'email')) as unique
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname not in ('installation', 'dispatcher') and c.relname not like 'kysely%'
    order by c.relname, a.attnum`);
  for (const table of new Set(rows.map((each) => each.table))) {
    const columns = rows.filter((each) => each.table === table);
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    await client.query(`
      insert into "${table}" (${names}) overriding system value
      select ${columns.map(copied).join(', ')} from "${table}" x
      cross join generate_series(1, (select ${CROWD} / greatest(count(*), 1) + 1 from "${table}")) k`);
  }
  await client.query('analyze');
  await client.query(`
    update pg_class set reltuples = ${TIMES} * reltuples
    where relkind = 'r' and relnamespace = 'public'::regnamespace and reltuples >= ${CROWD}`);
}

/** Returns the value of a column in copy `k` of row `x`. */
function copied({ table, name, type, unique }: Column): string {
  const value = `x."${name}"`;
  if (type === 'bigint' && /(?:^|_)id$/.test(name)) return `${value} + k * 1000000000`;
  if (!unique || name === 'type') return value;
  if (table === 'users' && name === 'username')
    return `case when ${value} like 'Deleted user %' then 'Deleted user ' || (x.id + k * 1000000000)
      when ${value} like '% %' then 'P' || k || ' ' || ${value} else left(${value}, 20) || '-' || k end`;
  if (name === 'email') return `replace(${value}, '@', '-' || k || '@')`;
  return type === 'text' ? `${value} || '-' || k` : value;
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Plan Rows'?: number;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: PlanNode[];
}

/** Executes a statement, takes it back, and returns what it read too much of; undefined if it can't be executed again. */
export async function wideReads(client: pg.Client, text: string, values: unknown[]): Promise<string[] | undefined> {
  await client.query('savepoint statement');
  try {
    const explained = { text: `explain (analyze, timing off, format json) ${text}`, values };
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(explained);
    return rows.flatMap((row) => tooWide(row['QUERY PLAN'][0].Plan));
  } catch {
    return undefined;
  } finally {
    await client.query('rollback to savepoint statement');
  }
}

function tooWide(node: PlanNode): string[] {
  const { 'Node Type': type, 'Relation Name': table, 'Actual Loops': loops = 0 } = node;
  const rows =
    (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  // What had nothing to read for, because that is gone meanwhile, counts as planned.
  const isWhole = type === 'Seq Scan' || (type.startsWith('Index') && node['Index Cond'] === undefined);
  const planned = loops === 0 && isWhole ? (node['Plan Rows'] ?? 0) / TIMES : 0;
  const read = Math.max(rows * loops, planned);
  const isRead = table?.startsWith('pg_') === false || node['Rows Removed by Join Filter'] !== undefined;
  const own = isRead && read > MAX_READ ? [`${type} ${table ?? ''}: ${read} rows`] : [];
  return [...own, ...(node.Plans ?? []).flatMap(tooWide)];
}
