import { Administration } from '#src/commands/administration.js';
import { SITE_EXPORT } from '#src/database/site-export.js';
import { SitesService } from '#src/sites/sites.service.js';
import { startAuth } from './auth.js';
import type { TestAuth, TestSite } from './auth.js';

/** Instants of exported rows. */
const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+\+00:00/g;
const TABLES = `
  select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
   where a.attname = 'site_id' and c.relkind in ('r', 'p') and not c.relispartition
     and c.relnamespace = 'public'::regnamespace and c.relname <> all($1) order by 1`;

let auth: TestAuth;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());

interface Exported {
  readonly table: string;
  readonly row: Readonly<Record<string, unknown>>;
}

async function invite({ site_id }: TestSite, email: string): Promise<string> {
  const site = await auth.app.get(SitesService).byId(site_id);
  if (site === undefined) throw new Error('The stage has it');
  return (await auth.app.get(Administration).invite(site, { email, name: 'Mei Lin', role: 'student' })).person_id;
}

/** Rows of an export of the first site that name the person. */
async function exported(personId: string): Promise<Exported[]> {
  const { site_id } = auth.site;
  const tables = await auth.sql<{ name: string }>(TABLES, [SITE_EXPORT.omits]);
  const texts = [
    ...tables.map(({ name }) => [name, `select to_jsonb(t) as row from ${name} t where t.site_id = $1`] as const),
    ...Object.entries(SITE_EXPORT.further ?? {}),
  ];
  const found: Exported[] = [];
  for (const [table, text] of texts) {
    const rows = await auth.sql<Pick<Exported, 'row'>>(text, [site_id]);
    found.push(...rows.map(({ row }) => ({ table, row })));
  }
  return found.filter(({ row }) => JSON.stringify(row).includes(personId));
}

it('does not tell whether a member has an account at another site', async () => {
  const known = await invite(auth.other, 'known@example.com');
  await auth.sql(
    `update people set created_at = now() - interval '1 year', email_verified = true where person_id = $1`,
    [known],
  );
  await invite(auth.site, 'known@example.com');
  const unknown = await invite(auth.site, 'unknown@example.com');
  const [of, ofUnknown] = [await exported(known), await exported(unknown)];
  const shape = (rows: readonly Exported[]) =>
    rows.map(({ table, row }) => [table, Object.keys(row), row['email_verified']]);
  expect(shape(of)).toEqual(shape(ofUnknown));
  expect(of.map(({ table }) => table)).toEqual(expect.arrayContaining(['site_members', 'people']));
  const instants = JSON.stringify(of).match(INSTANT) ?? [];
  const joined = String(of.find(({ table }) => table === 'site_members')?.row['joined_at']);
  expect(instants.length).toBeGreaterThan(1);
  expect(instants.filter((instant) => Date.parse(instant) < Date.parse(joined) - 1_000)).toEqual([]);
});
