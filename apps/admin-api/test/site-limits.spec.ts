import { FORM_LIMITS, defineForm } from '@lyceum/contracts';
import { FILE_JOB_LIMITS } from '#src/file-jobs/file-job.policy.js';
import { withDatabase } from './database.js';
import { unique } from './new-course.js';
import { arrived, complete } from './new-upload.js';
import { Storefront } from './storefront.js';

const storefront = Storefront.ofFile();

/** Adds a row to the first site. Returns CREATED, or the code of the refusal. */
type Create = () => Promise<string>;

const CREATED = 'created';
const EXPORT = { collection: 'students', format: 'csv' };
const FORM = { title: 'Write to us', fields: [{ key: 'name', type: 'text', label: 'Your name' }] };

const query = (text: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> =>
  withDatabase(storefront.api.databaseUrl, async (client) => (await client.query(text, [...values])).rows);

async function post(path: string, body: object): Promise<string> {
  const response = await storefront.api.send('POST', path, { body });
  if (response.status === 201) return CREATED;
  expect(response.status).toBe(409);
  return String(response.body['code']);
}

async function newImport(): Promise<Create> {
  const { id: upload_id } = await arrived(storefront.api);
  await complete(storefront.api, { id: upload_id });
  return () => post('/api/v1/imports', { ...EXPORT, upload_id });
}

function define(): Promise<string> {
  return storefront.run(defineForm, { ...FORM, slug: unique('form') }).then(
    () => CREATED,
    (error: unknown) => (JSON.parse((error as Error).message) as { readonly code: string }).code,
  );
}

/** The columns of a row that has ended, so no worker takes it. */
const CANCELED = `'canceled', now(), now() + interval '1 day'`;

it.each<[string, { limit: number; columns: string; values: string; prepare: () => Promise<Create> }]>([
  [
    'exports',
    {
      limit: FILE_JOB_LIMITS.perSite,
      columns: 'created_by, collection, format, filters, state, ended_at, expires_at',
      values: `uuidv7(), 'students', 'csv', '{}', ${CANCELED}`,
      prepare: () => Promise.resolve(() => post('/api/v1/exports', EXPORT)),
    },
  ],
  [
    'imports',
    {
      limit: FILE_JOB_LIMITS.perSite,
      columns: 'created_by, via, collection, format, upload_id, mode, send_welcome_email, state, ended_at, expires_at',
      values: `uuidv7(), 'rest', 'students', 'csv', uuidv7(), 'create_only', false, ${CANCELED}`,
      prepare: newImport,
    },
  ],
  [
    'forms',
    {
      limit: FORM_LIMITS.forms,
      columns: 'slug, title, fields, active',
      values: `'filler-' || n, 'Write to us', '[]', true`,
      prepare: () => Promise.resolve(define),
    },
  ],
])('adds the last one of the %s of a site once, while another site is full', async (table, given) => {
  const { limit, columns, values, prepare } = given;
  const [site, other] = storefront.api.sites;
  const creations = [await prepare(), await prepare()];
  const fill = `insert into ${table} (site_id, ${columns}) select $1, ${values} from generate_series(1, $2::int) n`;
  await query(fill, [site.site_id, limit - 1]);
  await query(fill, [other.site_id, limit]);
  const outcomes = await Promise.all(creations.map((create) => create()));
  expect(outcomes.toSorted()).toEqual([CREATED, 'invalid_state']);
  const counted = await query(`select count(*)::int as count from ${table} where site_id = $1`, [site.site_id]);
  expect(counted).toEqual([{ count: limit }]);
});
