import { SITES_BUCKET } from '@lyceum/contracts';
import { eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { MembersOfDeletedSite } from '#src/members/members-of-deleted-site.js';
import { SiteDeletionsService } from '#src/sites/site-deletions.service.js';
import { SitesService } from '#src/sites/sites.service.js';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Observer } from './observer.js';

const AT = { base_url: 'https://gone.example', name: 'Gone School', slug: 'gone' };
const person = (name: string) => ({
  email: `${name}@gone.example`,
  name,
  password: PASSWORD,
  roles: ['owner' as const],
});

let nats: TestNats;
let observer: Observer;
let auth: TestAuth;
let siteId: string;

beforeAll(async () => {
  // Without NATS each deletion waits 5 s for the directory.
  nats = await testNats();
  observer = await Observer.of(nats);
  auth = await startAuth({ nats: nats.environment('auth') });
  const { site_id: _id, ...other } = auth.other;
  const { sites } = await auth.apply({
    sites: [
      { ...AT, people: [person('only-here'), person('elsewhere')], clients: [] },
      { ...other, people: [person('elsewhere')], clients: [] },
    ],
  });
  siteId = sites[0]?.site_id ?? '';
});
afterAll(async () => {
  await auth.stop();
  await observer.stop();
  await nats.stop();
});

const remove = (slug = AT.slug) => auth.app.get(SiteDeletionsService).delete(AT.base_url, slug);
const states = () =>
  auth.sql(`select email, state from people where email like '%@gone.example' or name = 'Deleted' order by state`);
const events = () => observer.received.filter(({ subject }) => subject === 'identity.site.deleted.v1');
const published = (count: number) =>
  eventually(
    () => Promise.resolve(events()),
    ({ length }) => length === count,
  );
const isListed = async () => (await observer.bucket(SITES_BUCKET)).some((site) => site['site_id'] === siteId);

it('refuses to delete an active site, an unknown origin and another slug', async () => {
  await expect(remove()).rejects.toMatchObject({ code: 'invalid_state' });
  await auth.app.get(SitesService).setState(siteId, 'suspended');
  await expect(remove('another')).rejects.toMatchObject({ code: 'validation_failed' });
  await expect(auth.app.get(SiteDeletionsService).delete('https://no.example', 'no')).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(events()).toEqual([]);
  expect(await isListed()).toBe(true);
});

it('deletes a suspended site, whose event names its ids alone', async () => {
  expect(await remove()).toMatchObject({ site_id: siteId, base_url: AT.base_url });
  const [event] = await published(1);
  expect(await isListed()).toBe(false);
  expect(event?.body['data']).toMatchObject({ site_id: siteId, name: 'Deleted', slug: siteId, state: 'suspended' });
  const sites = auth.app.get(SitesService);
  expect([await sites.byOrigin(AT.base_url), await sites.byId(siteId)]).toEqual([undefined, undefined]);
  await expect(sites.setState(siteId, 'active')).rejects.toMatchObject({ code: 'not_found' });
  const audit = await auth.sql(`select 1 from audit_log where event = 'site.deleted' and site_id = $1`, [siteId]);
  expect(audit).toHaveLength(1);
});

it('publishes the event again when the deletion is repeated', async () => {
  await remove();
  expect(await published(2)).toHaveLength(2);
});

it('refuses a new site of the origin until the rows are deleted', async () => {
  await expect(auth.app.get(SitesService).apply(AT)).rejects.toMatchObject({ code: 'already_exists' });
});

it('erases the people that no other site has, and stops when the pass stops', async () => {
  const members = auth.app.get(MembersOfDeletedSite);
  const left = async () =>
    (await auth.sql('select 1 from site_members where site_id = $1 and erased_at is null', [siteId])).length;
  await members.erase(siteId, async () => false);
  expect(await left()).toBe(1);
  await members.erase(siteId, async () => true);
  expect(await left()).toBe(0);
  expect(await states()).toMatchObject([{ email: 'elsewhere@gone.example', state: 'active' }, { state: 'deleted' }]);
  expect(await auth.sql('select 1 from site_erasures where site_id = $1', [siteId])).toHaveLength(1);
});
