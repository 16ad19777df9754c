import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import { statementsOfRequest } from './statements.js';

const ROWS = 10_000;
/** The session, the person, and the content of the page. */
const STATEMENTS = 3;
/** The id of the requests of the owner. */
const REQUEST = 'a-counted-request';
/** Bytes: a page of a list shows at most 50 rows. */
const PAGE = 100_000;

let auth: TestAuth;
let owner: Flow;

beforeAll(async () => {
  // Each page finds its site in the cache.
  auth = await startAuth({ environment: { SITE_CACHE_MS: '60000' } });
  const { site_id } = auth.site;
  await auth.sql(`update sites set settings = settings || '{"mcp_connections":true}' where site_id = $1`, [site_id]);
  await auth.sql(
    `with made as (
       insert into people (email, name) select 'p' || n || '@many.example', 'Person ' || n
         from generate_series(1, ${ROWS}) n returning person_id, name)
     insert into site_members (site_id, person_id, roles, name, joined_at)
     select $1, person_id, '{student}', name, now() from made`,
    [site_id],
  );
  await auth.sql(
    `with made as (
       insert into clients (client_id, site_id, name, audience, source, redirect_uris, scopes, review)
       select 'https://many.example/' || n, $1, 'Document ' || n, 'operator', 'document', '{https://many.example/cb}',
              '{openid}', 'unreviewed' from generate_series(1, ${ROWS}) n returning client_key)
     insert into client_documents (client_key, expires_at) select client_key, now() from made`,
    [site_id],
  );
  await auth.sql(
    `insert into clients (client_id, site_id, name, audience, source, redirect_uris, scopes, secret_hash)
     select 'many-' || n, $1, 'Application ' || n, 'member', 'site', '{https://app.example/cb}', '{account:read}', decode(repeat('00', 32), 'hex')
       from generate_series(1, ${ROWS}) n`,
    [site_id],
  );
  await auth.sql(
    `insert into audit_log (event, site_id, person_id, client_id, details)
     select 'consent.given', $1, person_id, 'many-1', '{}' from site_members where site_id = $1`,
    [site_id],
  );
  await auth.sql('analyze');
  owner = new Flow(auth, auth.site, undefined, { 'x-request-id': REQUEST });
  await owner.signIn(await owner.browser.open('/admin'), 'owner');
});
afterAll(() => auth.stop());

const statementsOf = (work: () => Promise<unknown>): Promise<string[]> => statementsOfRequest(auth, REQUEST, work);

async function one(text: string): Promise<string> {
  const [row] = await auth.sql<{ id: string }>(text, [auth.site.site_id]);
  return row?.id ?? '';
}
const member = (): Promise<string> =>
  one(`select member_id as id from site_members where site_id = $1 and name = 'Person 5000'`);
const client = (): Promise<string> =>
  one(`select client_key as id from clients where site_id = $1 and name = 'Document 5000'`);

const none = (): Promise<string> => Promise.resolve('');

const PAGES: readonly (readonly [path: string, id: () => Promise<string>])[] = [
  ['/admin', none],
  ['/admin/people', none],
  ['/admin/people?q=person+50&state=active&role=student', none],
  ['/admin/people/:id', member],
  ['/admin/people/:id/suspend', member],
  ['/admin/people/:id/remove', member],
  ['/admin/invite', none],
  ['/admin/applications', none],
  ['/admin/new-application', none],
  ['/admin/new-application?for=member', none],
  ['/admin/applications/many-5000', none],
  ['/admin/applications/many-5000/edit', none],
  ['/admin/applications/many-5000/delete', none],
  ['/admin/applications/many-5000/rotate', none],
  ['/admin/clients', none],
  ['/admin/clients?q=document+50&state=unreviewed&source=document', none],
  ['/admin/clients/:id', client],
  ['/admin/clients/:id/review?to=blocked', client],
  ['/admin/client-hosts', none],
  ['/admin/settings', none],
  ['/admin/school', none],
  ['/admin/appearance', none],
  ['/admin/mcp-connections', none],
  ['/admin/mcp-connections/off', none],
  ['/admin/activity', none],
  ['/admin/audit', none],
  ['/admin/audit?person=p5000%40many.example&client=many-1&event=consent.given&from=2020-01-01', none],
];

it.each(PAGES)('sends at most three statements for %s among 10,000 people, clients and entries', async (path, id) => {
  const address = path.replace(':id', await id());
  // The first page of a sign-in stores its use.
  await owner.browser.open('/admin');
  let [status, bytes] = [0, 0];
  const statements = await statementsOf(async () => {
    const page = await owner.browser.open(address);
    [status, bytes] = [page.status, page.body.length];
  });
  // admin-api does not run here: its pages say so.
  const isOfSchool = ['/admin/school', '/admin/appearance', '/admin/activity'].includes(path);
  expect([path, status]).toEqual([path, isOfSchool && status === 503 ? 503 : 200]);
  // The session and the person.
  expect(statements.length).toBeGreaterThanOrEqual(2);
  expect([path, statements.length > STATEMENTS ? statements : []]).toEqual([path, []]);
  expect(bytes).toBeLessThan(PAGE);
});
