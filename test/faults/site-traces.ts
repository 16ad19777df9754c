import { readdirSync } from 'node:fs';
import type { Stack } from '@lyceum/local';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { askJetStream, storedMessages } from './stream-messages.ts';

const DATABASES = ['auth', 'school', 'learner'] as const;
/** Tables that periodic tasks write for all sites. */
const WRITTEN_BY_TASKS = ['analytics_marks'];

/** Columns of a table of jobs that the workers of all sites write. */
const JOB_COLUMNS = ['attempts', 'due_at', 'ended_at', 'failure'];

const WITH_SITES = `
  select relname as name, array(select attname::text from pg_attribute o
                                 where o.attrelid = c.oid and o.attnum > 0 and not o.attisdropped) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'site_id'
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and not attisdropped
   order by relname`;

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The part of a site that a stack stores: rows, messages and files. */
export class SiteTraces {
  constructor(private readonly stack: Stack) {}

  /** Numbers of rows by `database.table`, without empty tables. */
  async rows(siteId: string): Promise<Record<string, number>> {
    const found = await this.#ofEach(() => 'count(*)::int', siteId);
    return Object.fromEntries(Object.entries(found).filter(([, count]) => count !== 0)) as Record<string, number>;
  }

  /**
   * Digests of the rows by `database.table`, without what tasks change meanwhile: the columns of jobs, and rows that
   * expire before the instant, which may be swept.
   */
  digests(siteId: string, until: Date): Promise<Record<string, unknown>> {
    return this.#ofEach((columns) => {
      const isJob = JOB_COLUMNS.every((column) => columns.includes(column));
      const row = isJob ? `(to_jsonb(t) - '{${JOB_COLUMNS.join()}}'::text[])::text` : 't::text';
      const lasting = `t.expires_at is null or t.expires_at > '${until.toISOString()}'`;
      const filter = columns.includes('expires_at') ? ` filter (where ${lasting})` : '';
      return `md5(coalesce(string_agg(${row}, ',' order by ${row})${filter}, ''))`;
    }, siteId);
  }

  /** Events of the site in streams and buckets, as `stream subject`. */
  async messages(siteId: string): Promise<string[]> {
    const { nats } = this.stack;
    const admin = await connect({ servers: nats.url, user: 'admin', pass: nats.userPassword('admin') ?? '' });
    try {
      const found = new Set<string>();
      for (const name of (await askJetStream<{ streams: string[] }>(admin, 'STREAM.NAMES')).streams)
        for await (const messages of storedMessages(admin, name))
          for (const { subject, text } of messages) if (text.includes(siteId)) found.add(`${name} ${subject}`);
      return [...found].toSorted();
    } finally {
      await admin.close();
    }
  }

  /** Keys of the files of the site. */
  files(siteId: string): string[] {
    const directory = this.stack.environment('admin-api')['FILES_DIRECTORY'] ?? '';
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.parentPath.includes(siteId))
      .map(({ name }) => name);
  }

  async query<Row extends pg.QueryResultRow>(database: (typeof DATABASES)[number], text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.stack.databaseUrl(database) });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async #ofEach(
    expressionOf: (columns: readonly string[]) => string,
    siteId: string,
  ): Promise<Record<string, unknown>> {
    const found: Record<string, unknown> = {};
    for (const database of DATABASES) {
      const client = new pg.Client({ connectionString: this.stack.databaseUrl(database) });
      await client.connect();
      try {
        for (const { name, columns } of (await client.query<Table>(WITH_SITES)).rows) {
          if (WRITTEN_BY_TASKS.includes(name)) continue;
          const text = `select ${expressionOf(columns)} as value from ${client.escapeIdentifier(name)} t where site_id = $1`;
          const { rows } = await client.query<{ value: unknown }>(text, [siteId]);
          found[`${database}.${name}`] = rows[0]?.value;
        }
      } finally {
        await client.end();
      }
    }
    return found;
  }
}
