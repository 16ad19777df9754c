import { createHmac, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import * as oidc from 'openid-client';
import { authorizationRequest, exchange } from '../../clients/member-client.js';
import { Actor, member, operator, otherSite, rawHttp, site, sourceIn, type Fields } from './attack.js';

type Json = Record<string, unknown>;
const part = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const parsed = (text = ''): Json => JSON.parse(Buffer.from(text, 'base64url').toString()) as Json;
const split = (token: string): { header: Json; claims: Json; signature: string } => {
  const [header, claims, signature = ''] = token.split('.');
  return { header: parsed(header), claims: parsed(claims), signature };
};

const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const es256 = (header: Json, claims: Json, key: KeyObject = own.privateKey): string => {
  const input = `${part(header)}.${part(claims)}`;
  return `${input}.${sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
};
const hs256 = (claims: Json, kid: unknown, secret: string | Buffer): string => {
  const input = `${part({ alg: 'HS256', kid })}.${part(claims)}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
};

/** The person stays signed in between attacks. */
const actor = new Actor(sourceIn(21));

/** A real application whose token responses the attacker can replace. */
async function signIn(substitute: (genuine: string) => string | Promise<string>): Promise<Json | undefined> {
  const request = await authorizationRequest(site.base_url, member, 'openid email account:read');
  // Checks the signature, too: by default openid-client relies on TLS to the token endpoint.
  oidc.enableNonRepudiationChecks(request.configuration);
  request.configuration[oidc.customFetch] = async (url, options) => {
    const response = await fetch(url, options as RequestInit);
    if (!url.endsWith('/api/oauth/token')) return response;
    const body = (await response.json()) as Json;
    return Response.json({ ...body, id_token: await substitute(String(body['id_token'])) });
  };
  let page = await actor.browser.open(request.url);
  if (page.body.includes('name="password"')) page = await actor.signIn(page);
  if (page.body.includes('value="approve"')) page = await actor.submit(page, 'decision', { decision: 'approve' });
  return (await exchange(request, page.url)).claims();
}

const OF_OPERATOR = { client_id: operator.client_id, scope: 'openid courses:read' } as const;
const nonceOf = (genuine: string): string => String(split(genuine).claims['nonce']);

/** A genuine token of another sign-in. */
async function another(at: typeof site, overrides: Fields, role?: string): Promise<string> {
  const other = at === site && role === undefined ? actor : new Actor(sourceIn(21), at);
  const { id_token } = await other.tokens(overrides, role);
  return id_token;
}

async function publicKeys(): Promise<Json[]> {
  const { body } = await rawHttp(site.base_url, '/.well-known/jwks.json', {
    headers: { host: new URL(site.base_url).host },
  });
  return body['keys'] as Json[];
}

it('accepts the genuine id_token: ES256, published key, this client, its nonce', async () => {
  let header: Json = {};
  const claims = await signIn((genuine) => {
    header = split(genuine).header;
    return genuine;
  });
  expect(claims).toMatchObject({ iss: site.base_url, aud: member.client_id, nonce: expect.any(String) });
  expect(header['alg']).toBe('ES256');
  expect((await publicKeys()).map(({ kid }) => kid)).toContain(header['kid']);
});

it('publishes only public ES256 signing keys', async () => {
  const keys = await publicKeys();
  expect(keys.length).toBeGreaterThan(0);
  for (const key of keys) {
    expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
    expect(Object.keys(key)).not.toEqual(expect.arrayContaining(['d']));
    expect(key['d'] ?? key['k']).toBeUndefined();
  }
});

it.each<[string, (genuine: string) => string | Promise<string>]>([
  ['without a signature (alg none)', (genuine) => `${part({ alg: 'none' })}.${part(split(genuine).claims)}.`],
  ['with the algorithm in odd letters', (genuine) => `${part({ alg: 'nOnE' })}.${part(split(genuine).claims)}.`],
  ['with its signature cut off', (genuine) => `${genuine.split('.').slice(0, 2).join('.')}.`],
  [
    'with HS256 and the public key as secret',
    async (genuine) => {
      const { header, claims } = split(genuine);
      const key = (await publicKeys()).find(({ kid }) => kid === header['kid'])!;
      const pem = createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
      return hs256(claims, header['kid'], pem);
    },
  ],
  ['signed by another key under the genuine kid', (genuine) => es256(split(genuine).header, split(genuine).claims)],
  [
    'signed by another key under a kid of its own',
    (genuine) => es256({ alg: 'ES256', kid: 'mine' }, split(genuine).claims),
  ],
  [
    'with a key of its own in the header',
    (genuine) => es256({ alg: 'ES256', jwk: own.publicKey.export({ format: 'jwk' }) }, split(genuine).claims),
  ],
  [
    'with a changed claim under the genuine signature',
    (genuine) => {
      const { header, claims, signature } = split(genuine);
      return `${part(header)}.${part({ ...claims, roles: ['owner'] })}.${signature}`;
    },
  ],
  // The nonce is right, so only the client and the issuer are wrong.
  ['for another client', (genuine) => another(site, { ...OF_OPERATOR, nonce: nonceOf(genuine) }, 'owner')],
  ['of the other site', (genuine) => another(otherSite, { nonce: nonceOf(genuine) })],
  ['from another sign-in, with another nonce', () => another(site, { nonce: 'another' })],
  ['from another sign-in, without a nonce', () => another(site, {})],
])('refuses an id_token %s in a real client', async (_what, substitute) => {
  await expect(signIn(substitute)).rejects.toMatchObject({ code: expect.stringMatching(/^OAUTH_/) });
});
