import { startAuth } from './auth.js';
import type { TestAuth, TestSite } from './auth.js';
import { Flow } from './flow.js';

/** Random in all bits but those of version and variant (RFC 9562 §5.4). */
const RANDOM = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());

const idsAt = (site: TestSite, name: string) => {
  const found = site.people.find(({ email }) => email.startsWith(name));
  if (found === undefined) throw new Error(`${name} is not at ${site.slug}`);
  return found;
};

/** The subject on every surface of a client. */
async function subjects(site: TestSite, name: string): Promise<unknown[]> {
  const flow = new Flow(auth, site, { client_id: `${site.slug}-member` });
  const { access_token, id_token = '' } = await flow.tokens({}, name);
  const claims = JSON.parse(Buffer.from(id_token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
  const { body: userInfo } = await flow.userInfo(access_token);
  const client = { client_id: flow.client.client_id };
  const { body: introspected } = await flow.introspect(access_token, client);
  expect(JSON.stringify([claims, userInfo, introspected])).not.toContain(idsAt(site, name).person_id);
  return [claims.sub, userInfo['sub'], introspected['sub']];
}

it('creates ids of people and members that do not reveal their time of creation', () => {
  const ids = auth.site.people.flatMap(({ person_id, member_id }) => [person_id, member_id]);
  for (const id of ids) expect(id).toMatch(RANDOM);
  expect(new Set(ids.map((id) => id.slice(0, 4))).size).toBeGreaterThan(1);
});

it('uses another subject of a person at each site, and no other id', async () => {
  const [here, there] = [await subjects(auth.site, 'both'), await subjects(auth.other, 'both')];
  expect(here).toEqual(Array(3).fill(idsAt(auth.site, 'both').member_id));
  expect(there).toEqual(Array(3).fill(idsAt(auth.other, 'both').member_id));
  expect(here[0]).not.toBe(there[0]);
});

it('shows the key of the person only to services of the deployment', async () => {
  const flow = new Flow(auth);
  const { access_token } = await flow.tokens({}, 'both');
  const { body } = await flow.introspect(access_token);
  expect(body).toMatchObject({
    sub: idsAt(auth.site, 'both').member_id,
    person_id: idsAt(auth.site, 'both').person_id,
  });
});
