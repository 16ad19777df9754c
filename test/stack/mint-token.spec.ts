import { mintToken, type MintOptions } from '@lyceum/testing';
import { clientOf, personOf, systemStack } from './system-stack.js';

const { sites, services, environments } = systemStack();
const [site, other] = [sites[0]!, sites[1]!];
const internalUrl = services.find(({ name }) => name === 'auth')!.internal_url;

const MEMBER = 'openid profile account:read';
const OPERATOR = 'openid courses:read';

async function introspect(token: string): Promise<Record<string, unknown>> {
  const {
    INTROSPECTION_URL: url = '',
    INTROSPECTION_CLIENT_ID: client_id = '',
    INTROSPECTION_CLIENT_SECRET: client_secret = '',
  } = environments['member-api'];
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ token, client_id, client_secret }) });
  return (await response.json()) as Record<string, unknown>;
}

describe('a token from the real auth', () => {
  it.each([
    ['student', 'member', 'public', MEMBER],
    ['student', 'member', 'confidential', MEMBER],
    ['owner', 'operator', 'public', OPERATOR],
    ['owner', 'operator', 'confidential', OPERATOR],
  ] as const)('issues an active token for the %s with the %s client (%s)', async (role, audience, kind, scope) => {
    const person = personOf(site, role);
    const token = await mintToken({ site, ...person, ...clientOf(site, audience, kind), scope });
    await expect(introspect(token.access_token)).resolves.toMatchObject({
      active: true,
      audience,
      aud: site.base_url,
      org_id: site.org_id,
      sub: person.member_id,
    });
  });

  it('belongs to the site of the request', async () => {
    const both = site.people.find(({ email }) => other.people.some((person) => person.email === email))!;
    const token = await mintToken({ site: other, ...both, ...clientOf(other, 'member', 'public'), scope: MEMBER });
    await expect(introspect(token.access_token)).resolves.toMatchObject({
      aud: other.base_url,
      org_id: other.org_id,
    });
  });

  it('issues a token without the edge, by the Host of the site', async () => {
    const client = clientOf(site, 'member', 'public');
    const token = await mintToken({ site, via: internalUrl, ...personOf(site, 'student'), ...client, scope: MEMBER });
    await expect(introspect(token.access_token)).resolves.toMatchObject({ aud: site.base_url });
  });
});

describe('a failed sign-in of a test', () => {
  const mint = (change: Partial<MintOptions>) =>
    mintToken({
      site,
      ...personOf(site, 'student'),
      ...clientOf(site, 'member', 'public'),
      scope: MEMBER,
      ...change,
    });

  it.each([
    ['a wrong password', { password: 'guess' }, /The sign-in of .* stays at \d+ \/oauth\/interaction/],
    ['an unknown scope', { scope: 'openid nonsense' }, /Refused: invalid_scope/],
    ['no resource', { resource: null }, /Refused: invalid_target/],
    ['an unknown client', { client_id: 'unknown' }, /The sign-in of .* stays at 400 \/oauth\/authorize/],
  ])('names the reason for %s', async (_case, change, message) => {
    await expect(mint(change)).rejects.toThrow(message);
  });

  it('names the reason for a wrong secret', async () => {
    const confidential = { ...clientOf(site, 'member', 'confidential'), client_secret: 'guess' };
    await expect(mint(confidential)).rejects.toThrow(/The token endpoint answered 401: .*invalid_client/);
  });
});
