import { randomUUID } from 'node:crypto';
import { eventually, mintToken } from '@lyceum/testing';
import { graphql, listTools, send } from '../clients/http.js';
import { tokenFor } from '../clients/tokens.js';
import { applySite, command } from '../stack/auth-command.js';
import { type SystemSite, clientOf, systemStack } from '../stack/system-stack.js';

/** Milliseconds within which each surface refuses the tokens of a suspended member. */
const SOON = 1_000;
const [site, otherSite] = systemStack().sites.slice(0, 2) as [SystemSite, SystemSite];
const person = { email: `${randomUUID()}@example.com`, password: `long ${randomUUID()}` };
const AUDIENCES = ['member', 'operator'] as const;
const SCOPES = { member: 'openid account:read', operator: 'openid courses:read' };

type Tokens = Readonly<Record<(typeof AUDIENCES)[number], string>>;

/** Makes the person an admin and a student of the site. */
async function join({ base_url }: SystemSite): Promise<void> {
  const { name, slug } = await command('site', 'show', '--site', base_url);
  const people = [{ ...person, name: 'Mei Lin', roles: ['admin', 'student'] as const }];
  await applySite({ base_url, name: String(name), slug: String(slug), people, clients: [] });
}

async function tokensAt(at: SystemSite): Promise<Tokens> {
  const [member, operator] = await Promise.all(
    AUDIENCES.map((audience) =>
      mintToken({ site: at, ...person, ...clientOf(at, audience, 'public'), scope: SCOPES[audience] }),
    ),
  );
  return { member: member!.access_token, operator: operator!.access_token };
}

/** The status of each surface of the site for the tokens of its audience. */
async function surfaces({ base_url }: SystemSite, { member, operator }: Tokens): Promise<Record<string, number>> {
  const responses = {
    'admin-api': send(`${base_url}/api/v1/courses`, { token: operator }),
    'member-api': graphql(base_url, member, '{ viewer { id } }'),
    'tools of a member': listTools(base_url, member),
    'tools of an operator': listTools(base_url, operator),
    'user info': send(`${base_url}/api/oauth/userinfo`, { token: member }),
  };
  const statuses = Object.entries(responses).map(async ([name, response]) => [name, (await response).status] as const);
  return Object.fromEntries(await Promise.all(statuses));
}
const all = (status: number): Record<string, number> => ({
  'admin-api': status,
  'member-api': status,
  'tools of a member': status,
  'tools of an operator': status,
  'user info': status,
});

let owner: string;
let tokens: readonly [Tokens, Tokens];

beforeAll(async () => {
  owner = await tokenFor('operator', 'members:read members:write');
  for (const one of [site, otherSite]) await join(one);
  tokens = [await tokensAt(site), await tokensAt(otherSite)];
});
afterAll(() => command('person', 'delete', '--email', person.email));

it('refuses the tokens of a suspended member within a second at that site, and accepts those of the other', async () => {
  const [here, there] = tokens;
  const members = `${site.base_url}/api/v1/members`;
  const found = await eventually(
    () => send<{ data: { id: string }[] }>(`${members}?email=${person.email}`, { token: owner }),
    ({ body }) => body.data.length === 1,
  );
  // Each surface has accepted the tokens, so it may have cached them.
  expect([await surfaces(site, here), await surfaces(otherSite, there)]).toEqual([all(200), all(200)]);

  const path = `${members}/${found.body.data[0]!.id}`;
  const suspended = await send(`${path}/suspend`, { method: 'POST', token: owner });
  expect([suspended.status, suspended.body['state']]).toEqual([200, 'suspended']);
  const refused = await eventually(
    () => surfaces(site, here),
    (seen) => Object.values(seen).every((status) => status === 401),
    SOON,
  );
  expect(refused).toEqual(all(401));
  expect(await surfaces(otherSite, there)).toEqual(all(200));
  await expect(tokensAt(site)).rejects.toThrow('This account has no access here');

  // The tokens that ended stay so. New ones are valid.
  expect((await send(`${path}/reinstate`, { method: 'POST', token: owner })).status).toBe(200);
  expect(await surfaces(site, here)).toEqual(all(401));
  expect(await surfaces(site, await tokensAt(site))).toEqual(all(200));
  expect(await surfaces(otherSite, there)).toEqual(all(200));
});
