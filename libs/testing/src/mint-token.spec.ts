import { request } from 'undici';
import { testInfrastructure, type Infrastructure, type TestSite } from './infrastructure.js';
import { mintToken, type MintOptions } from './mint-token.js';

let infrastructure: Infrastructure;
beforeAll(async () => {
  infrastructure = await testInfrastructure();
});

function person(site: TestSite, role: string): TestSite['people'][number] {
  return site.people.find(({ roles }) => roles[0] === role)!;
}

function client(site: TestSite, audience: 'member' | 'operator', secret: boolean): TestSite['clients'][number] {
  return site.clients.find((one) => one.audience === audience && (one.client_secret !== undefined) === secret)!;
}

const MEMBER = 'openid profile account:read';
const OPERATOR = 'openid courses:read';

async function introspect(token: string): Promise<Record<string, unknown>> {
  const { url, clients } = infrastructure.introspection;
  const form = { token, client_id: 'member-api', client_secret: clients['member-api'] ?? '' };
  const { body } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  return (await body.json()) as Record<string, unknown>;
}

describe('a token from the real auth', () => {
  it.each([
    ['student', 'member', false, MEMBER],
    ['student', 'member', true, MEMBER],
    ['owner', 'operator', false, OPERATOR],
    ['owner', 'operator', true, OPERATOR],
  ] as const)(
    'is had by the %s with the %s client (confidential: %p), and is active',
    async (role, audience, secret, scope) => {
      const site = infrastructure.sites[0]!;
      const token = await mintToken({ site, ...person(site, role), ...client(site, audience, secret), scope });
      await expect(introspect(token.access_token)).resolves.toMatchObject({
        active: true,
        audience,
        aud: site.base_url,
        site_id: site.site_id,
        sub: person(site, role).person_id,
      });
    },
  );

  it('belongs to the site at which it was asked for', async () => {
    const [one, other] = infrastructure.sites as [TestSite, TestSite];
    const both = one.people.find(({ email }) => other.people.some((person) => person.email === email))!;
    const token = await mintToken({ site: other, ...both, ...client(other, 'member', false), scope: MEMBER });
    await expect(introspect(token.access_token)).resolves.toMatchObject({
      aud: other.base_url,
      site_id: other.site_id,
    });
  });

  it('is had without the edge, by the Host of the site', async () => {
    const [site] = infrastructure.sites as [TestSite];
    const via = infrastructure.auth.url;
    const token = await mintToken({
      site,
      via,
      ...person(site, 'student'),
      ...client(site, 'member', false),
      scope: MEMBER,
    });
    await expect(introspect(token.access_token)).resolves.toMatchObject({ aud: site.base_url });
  });
});

describe('what went wrong is said', () => {
  const mint = (change: Partial<MintOptions>) => {
    const site = infrastructure.sites[0]!;
    return mintToken({ site, ...person(site, 'student'), ...client(site, 'member', false), scope: MEMBER, ...change });
  };

  it.each([
    ['a wrong password', { password: 'guess' }, /The sign-in of .* stays at \d+ \/oauth\/interaction/],
    ['an unknown scope', { scope: 'openid nonsense' }, /Refused: invalid_scope/],
    ['no resource', { resource: null }, /Refused: invalid_target/],
    ['an unknown client', { client_id: 'nobody' }, /Neither a sign-in nor a consent page, but 400/],
  ])('of %s', async (_case, change, message) => {
    await expect(mint(change)).rejects.toThrow(message);
  });

  it('of a wrong secret', async () => {
    const site = infrastructure.sites[0]!;
    const confidential = { ...client(site, 'member', true), client_secret: 'guess' };
    await expect(mint(confidential)).rejects.toThrow(/The token endpoint answered 401: .*invalid_client/);
  });
});
