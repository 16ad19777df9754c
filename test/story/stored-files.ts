import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import pg from 'pg';
import { systemStack } from '../stack/system-stack.js';

const { environments, services } = systemStack();
const DIRECTORY = environments['admin-api']['FILES_DIRECTORY']!;

/** Paths of stored files with one of the texts, in the directory of the store. */
export function filesWith(texts: readonly string[]): string[] {
  const files = readdirSync(DIRECTORY, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  if (files.length === 0) throw new Error(`${DIRECTORY} has no files`);
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return paths.filter((path) => contains(path, texts)).map((path) => relative(DIRECTORY, path));
}

/** Services whose log has one of the texts. */
export function logsWith(texts: readonly string[]): string[] {
  return services.filter(({ log_file }) => contains(log_file, texts)).map(({ name }) => name);
}

/** A file may be deleted between the list and the read. */
function contains(path: string, texts: readonly string[]): boolean {
  try {
    const content = readFileSync(path);
    return texts.some((one) => content.includes(one));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** When the files end of an upload, an import and an export, by their ids. */
export async function endsOf(ids: readonly string[]): Promise<ReadonlyMap<string, Date>> {
  const client = new pg.Client({ connectionString: environments['admin-api']['DATABASE_URL'] });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string; ends_at: Date }>(
      `select id, sweep_at as ends_at from files where id = any($1) and sweep_at is not null
       union all select id, expires_at from imports where id = any($1)
       union all select id, expires_at from exports where id = any($1)`,
      [ids],
    );
    return new Map(rows.map(({ id, ends_at }) => [id, ends_at]));
  } finally {
    await client.end();
  }
}
