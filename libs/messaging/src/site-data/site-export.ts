import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { LIMITS } from '../connection/limits.js';
import { SITE_TABLES, quoted } from './site-rows.repository.js';
import type { SiteTable } from './erasure-order.js';

/** A file of a site. */
export interface ExportedFile {
  readonly key: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The part of an export that differs between services. */
export interface SiteExport {
  /** Tables with rows that are useless elsewhere: tokens, sessions, jobs, stored responses. */
  readonly omits: readonly string[];
  /** SQL for further rows, with the id of the site as `$1` and one column `row` of JSON, by the name of their table. */
  readonly further?: Readonly<Record<string, string>>;
  readonly files?: (siteId: string, source: DataSource) => AsyncIterable<ExportedFile>;
}

/** One line of an export: see docs/operate/sites.md. */
export type ExportLine = Readonly<Record<string, unknown>>;

/** Columns with hashes, keys and sealed values. They are no data of the school, and no export has them. */
const SECRETS = `
  select array_agg(attname::text) as names from pg_attribute
   where attrelid = $1::regclass and atttypid = 'bytea'::regtype and attnum > 0 and not attisdropped`;

/**
 * Rows and files of a site, as of the beginning, a few at a time.
 *
 * @throws for an omitted name that no table of sites has: after a change of a name, its rows would be exported
 */
export async function* exportSite(
  source: DataSource,
  siteId: string,
  { omits, further = {}, files }: SiteExport,
): AsyncGenerator<ExportLine> {
  let counted = 0;
  const runner = source.createQueryRunner();
  await runner.startTransaction('REPEATABLE READ');
  try {
    const { manager } = runner;
    await manager.query('set transaction read only');
    const tables: SiteTable[] = await manager.query(SITE_TABLES);
    const unknown = omits.filter((omitted) => !tables.some(({ name }) => name === omitted));
    if (unknown.length > 0) throw new Error(`The export omits ${unknown.join(', ')}, which is no table with a site_id`);
    for (const { name } of tables) {
      if (name === 'site_erasures' || omits.includes(name)) continue;
      const [secrets] = await manager.query<{ names: string[] | null }[]>(SECRETS, [quoted(name)]);
      const text = `select to_jsonb(t) - $2::text[] as row from ${quoted(name)} t where t.site_id = $1`;
      for await (const row of rowsOf(manager, text, [siteId, secrets?.names ?? []])) {
        counted += 1;
        yield { table: name, row };
      }
    }
    for (const [table, text] of Object.entries(further)) {
      for await (const row of rowsOf(manager, text, [siteId])) {
        counted += 1;
        yield { table, row };
      }
    }
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
  let stored = 0;
  for await (const { key, content } of files?.(siteId, source) ?? []) {
    stored += 1;
    yield* linesOf(key, content);
  }
  yield { end: true, rows: counted, files: stored };
}

async function* rowsOf(manager: EntityManager, text: string, values: readonly unknown[]): AsyncGenerator<unknown> {
  await manager.query(`declare exported no scroll cursor for ${text}`, [...values]);
  for (;;) {
    const found = await manager.query<{ row: unknown }[]>(`fetch ${LIMITS.exportRows} from exported`);
    for (const { row } of found) yield row;
    if (found.length < LIMITS.exportRows) break;
  }
  await manager.query('close exported');
}

/** Base64 of parts, each with its offset. An empty file is one empty part. */
async function* linesOf(key: string, content: AsyncIterable<Uint8Array>): AsyncGenerator<ExportLine> {
  let offset = 0;
  for await (const piece of content) {
    for (let from = 0; from < piece.length; from += LIMITS.exportBytes) {
      const part = piece.subarray(from, from + LIMITS.exportBytes);
      yield { file: key, offset, data: Buffer.from(part).toString('base64') };
      offset += part.length;
    }
  }
  if (offset === 0) yield { file: key, offset, data: '' };
}
