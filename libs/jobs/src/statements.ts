import { preparedStatement } from '@lyceum/platform';
import type { Statement } from '@lyceum/platform';
import type { QueueDeclaration } from './queue-declaration.js';

/** Maximum number of rows that a gauge counts, so that a scrape does not read a long backlog. */
const COUNTED = 10_000;

export type StatementName = 'claim' | 'end' | 'again' | 'release' | 'retry' | 'die' | 'dead' | 'revive' | 'endDue';

/** Returns the statements of a queue. Names in them come from the declaration; values are parameters. */
export function statementsOf(queue: QueueDeclaration): Readonly<Record<StatementName, Statement>> {
  const { table, key } = queue;
  const keys = key.map((column) => `job.${column}`).join(', ');
  /** `$1` to `$n` are the key, and the next parameter is the lease. So a replica without the lease changes nothing. */
  const held = `${key.map((column, index) => `job.${column} = $${index + 1}`).join(' and ')}
    and job.due_at = $${key.length + 1}::timestamptz and job.ended_at is null`;
  const next = `$${key.length + 2}`;
  const change = (set: string): string => `update ${table} job set ${set} where ${held} returning 1 as changed`;
  const texts: Record<StatementName, string> = {
    claim: claim(queue),
    end: change('ended_at = now(), failure = null'),
    // The clock of this moment, not of the transaction, so that jobs that are already due come first. A column of
    // milliseconds would round it up, and the job would not be due until then.
    again: change(`due_at = date_trunc('milliseconds', clock_timestamp()), attempts = 0, failure = null`),
    release: change(`due_at = date_trunc('milliseconds', clock_timestamp()), attempts = job.attempts - 1`),
    retry: change(`due_at = now() + make_interval(secs => ${next}), failure = null`),
    die: change(`ended_at = now(), failure = left(${next}, 500)`),
    dead: `select ${keys}, job.site_id, job.attempts, job.ended_at, job.failure from ${table} job
           where job.failure is not null order by job.ended_at desc limit $1`,
    revive: `with dead as (select ${keys} from ${table} job where job.failure is not null
                           order by job.ended_at limit $1 for update skip locked)
             update ${table} job set ended_at = null, failure = null, attempts = 0, due_at = now()
             from dead where ${same(key, 'dead')} returning 1 as changed`,
    endDue: `with due as (select ${keys} from ${table} job where job.ended_at is null and job.due_at <= $1
                          limit $2 for update)
             update ${table} job set ended_at = now(), failure = null
             from due where ${same(key, 'due')} returning 1 as changed`,
  };
  const entries = Object.entries(texts).map(([name, text]) => [name, preparedStatement(`jobs_${table}`, text, [])]);
  return Object.fromEntries(entries) as Record<StatementName, Statement>;
}

/** Returns the statement that counts the due and dead jobs of each queue, with the age of the oldest due job. */
export function depthsOf(queues: readonly QueueDeclaration[]): Statement {
  const depths = queues.map(
    (queue) => `
      select '${queue.name}' as queue, due.*, dead.* from
        (select count(*)::int as waiting, coalesce(extract(epoch from now() - min(due_at))::float, 0) as oldest_seconds
           from (select job.due_at from ${queue.table} job where ${due(queue)} limit ${COUNTED}) found) due,
        (select count(*)::int as dead
           from (select from ${queue.table} where failure is not null limit ${COUNTED}) found) dead`,
  );
  return preparedStatement('jobs_depths', depths.join(' union all '), []);
}

const due = ({ ready = 'true' }: QueueDeclaration): string =>
  `job.ended_at is null and job.due_at <= now() and (${ready})`;

const same = (key: readonly string[], other: string): string =>
  key.map((column) => `job.${column} = ${other}.${column}`).join(' and ');

/**
 * Claims the oldest due jobs of random sites. `$1` lists the sites whose jobs run: it leaves them out, and they count
 * among `sites`. One probe of the index finds each site, so a long backlog of one site does not slow down the others. A
 * lateral probe: PostgreSQL would read all due jobs once to answer `exists` for few sites.
 */
function claim(queue: QueueDeclaration): string {
  const { table, key, columns, leaseSeconds, sites, jobsOfSite } = queue;
  return `
    with recursive site as (
      (select site_id from ${table} where ended_at is null order by site_id limit 1)
      union all
      select (select t.site_id from ${table} t where t.ended_at is null and t.site_id > site.site_id
              order by t.site_id limit 1)
      from site where site.site_id is not null),
    turn as materialized (
      select site.site_id from site cross join lateral (
        select from ${table} job where job.site_id = site.site_id and ${due(queue)}
        order by job.due_at limit 1) found
      where site.site_id <> all ($1::uuid[])
      order by random() limit ${sites} - cardinality($1::uuid[])),
    due as materialized (
      select found.* from turn cross join lateral (
        select ${key.map((column) => `job.${column}`).join(', ')} from ${table} job
        where job.site_id = turn.site_id and ${due(queue)}
        order by job.due_at limit ${jobsOfSite} for update skip locked) found)
    update ${table} job set attempts = job.attempts + 1, due_at = now() + interval '${leaseSeconds} seconds'
    from due where ${same(key, 'due')}
    returning ${[...new Set([...columns, 'job.site_id'])].join(', ')}, job.attempts, job.due_at::text as lease`;
}
