import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import { Actor, member, rawHttp, site, sourceIn } from './attack.js';

type Json = Record<string, unknown>;
type Genuine = { readonly header: Json; readonly claims: Json; readonly key: Json };

const NONCE = 'the-nonce';
const CLIENT: oauth.Client = { client_id: member.client_id, id_token_signed_response_alg: 'ES256' };
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

const part = (value: Json): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const parsed = (text = ''): Json => JSON.parse(Buffer.from(text, 'base64url').toString()) as Json;
const signed = (header: Json, claims: Json, key: KeyObject): string => {
  const input = `${part(header)}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
};

let server: oauth.AuthorizationServer;
let tokens: Json;
let genuine: Genuine;

const host = { host: new URL(site.base_url).host };

beforeAll(async () => {
  const { body } = await rawHttp(site.base_url, '/.well-known/openid-configuration', { headers: host });
  server = body as unknown as oauth.AuthorizationServer;
  tokens = { ...(await new Actor(sourceIn(94)).tokens({ nonce: NONCE })) };
  const [header, claims] = String(tokens['id_token']).split('.');
  const jwks = await rawHttp(site.base_url, '/.well-known/jwks.json', { headers: host });
  const key = (jwks.body['keys'] as Json[]).find(({ kid }) => kid === parsed(header)['kid'])!;
  genuine = { header: parsed(header), claims: parsed(claims), key };
});

/** Validates a token response with this id_token by a second client implementation. */
async function verified(id_token: string, nonce = NONCE): Promise<Json | undefined> {
  const response = Response.json({ ...tokens, token_type: 'bearer', id_token });
  const options = { expectedNonce: nonce, requireIdToken: true };
  const tokenResponse = await oauth.processAuthorizationCodeResponse(server, CLIENT, response, options);
  await oauth.validateApplicationLevelSignature(server, response, { [oauth.allowInsecureRequests]: true });
  return oauth.getValidatedIdTokenClaims(tokenResponse);
}

it('accepts the genuine id_token in a second client', async () => {
  const claims = await verified(String(tokens['id_token']));
  expect(claims).toMatchObject({ iss: site.base_url, aud: member.client_id, nonce: NONCE });
});

const forged =
  (change: Json) =>
  ({ header, claims }: Genuine): string =>
    signed(header, { ...claims, ...change }, ec.privateKey);

it.each<[string, (of: Genuine) => string]>([
  ['without a signature (alg none)', ({ claims }) => `${part({ alg: 'none' })}.${part(claims)}.`],
  [
    'with HS256 and the public key as the secret',
    ({ claims, header, key }) => {
      const input = `${part({ ...header, alg: 'HS256' })}.${part(claims)}`;
      return `${input}.${createHmac('sha256', JSON.stringify(key)).update(input).digest('base64url')}`;
    },
  ],
  ['with RS256 and another key', ({ claims, header }) => signed({ ...header, alg: 'RS256' }, claims, rsa.privateKey)],
  [
    'under a kid that is not published',
    ({ claims }) => signed({ alg: 'ES256', kid: 'unknown' }, claims, ec.privateKey),
  ],
  ['under the genuine kid, of another key', forged({})],
  ['for another audience', forged({ aud: 'another-client' })],
  ['for several audiences without saying which', forged({ aud: [member.client_id, 'another-client'] })],
  ['with another nonce', forged({ nonce: 'another' })],
  ['that is over', forged({ exp: Math.floor(Date.now() / 1000) - 600 })],
  ['without an end', forged({ exp: undefined })],
  ['of another issuer', forged({ iss: 'https://evil.example' })],
])('refuses an id_token %s in a second client', async (_what, substitute) => {
  await expect(verified(substitute(genuine))).rejects.toMatchObject({ name: expect.stringMatching(/Error$/) });
});

it('refuses the genuine id_token for another sign-in', async () => {
  await expect(verified(String(tokens['id_token']), 'of-another-sign-in')).rejects.toThrow(/nonce/);
});
