import { member, memberServer, s256, type ApiResponse, type Fields } from '../security/oauth/attack.js';
import { DOCUMENTS, fetched, METADATA } from './documents.js';
import { prove, type Proof } from './prove.js';
import { authorizationError, walker } from './walker.js';

const spans = (statement: string): string => statement.replaceAll('`', '');
const PUBLIC: Fields = { client_id: member.client_id };
const CONFIDENTIAL: Fields = { client_id: memberServer.client_id, client_secret: memberServer.client_secret! };

const grant =
  (grant_type: string): Proof =>
  async (statement) => {
    for (const client of [PUBLIC, CONFIDENTIAL])
      expect((await walker().token({ grant_type, ...client })).body['error']).toBe(spans(statement));
  };

const GUESSES = [
  '/agent',
  '/agent/auth',
  '/agent/identity',
  '/agent/register',
  '/agent/claim',
  '/agent/auth/claim/complete',
  '/agent-auth',
  '/api/oauth/agent',
  '/oauth/register',
  '/register',
  '/.well-known/agent-auth',
];
/** Metadata members and grant names of the extension. */
const WORDS = ['identity_endpoint', 'register_uri', 'claim_uri', 'identity_assertion', 'id-jag', 'service_auth'];

prove('unsupported', {
  async 'auth.md agent_auth in any form'(statement) {
    expect(statement).toContain('404');
    for (const path of GUESSES) {
      for (const method of ['GET', 'POST']) {
        const { status, headers, body }: ApiResponse = await walker().send(path, { method });
        expect([path, status, headers['content-type'], body['detail']]).toEqual([
          path,
          404,
          'application/problem+json',
          expect.stringContaining('/auth.md'),
        ]);
      }
    }
    for (const path of DOCUMENTS.filter((document) => document !== '/auth.md')) {
      const { text } = await fetched(path);
      for (const word of ['agent_auth', 'jwt-bearer', ...WORDS])
        expect([path, text]).toEqual([path, expect.not.stringContaining(word)]);
    }
    // The guide mentions it only in its first lines, as unsupported.
    const { text } = await fetched('/auth.md');
    expect(text.slice(0, 200)).toContain('`agent_auth` is not supported');
    for (const word of ['identity_assertion', 'id-jag', 'service_auth', 'claim_uri']) expect(text).not.toContain(word);
  },
  async 'auth.md response_type=token and all others but code'(statement) {
    for (const response_type of ['token', 'id_token', 'code token', 'none', 'unknown'])
      expect(await authorizationError(walker(), { response_type, nonce: 'x' })).toBe(spans(statement));
  },
  'auth.md grant_type=password': grant('password'),
  'auth.md grant_type=client_credentials': grant('client_credentials'),
  'auth.md grant_type=urn:ietf:params:oauth:grant-type:device_code': grant(
    'urn:ietf:params:oauth:grant-type:device_code',
  ),
  'auth.md grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer': grant(
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
  ),
  async 'auth.md code_challenge_method=plain'(statement) {
    const plain = { code_challenge_method: 'plain', code_challenge: 'x'.repeat(43) };
    expect(await authorizationError(walker(), plain)).toBe(spans(statement));
    expect(await authorizationError(walker(), { code_challenge: s256('x'), code_challenge_method: 's256' })).toBe(
      spans(statement),
    );
  },
  async 'auth.md client_secret_basic'(statement) {
    const credentials = Buffer.from(`${memberServer.client_id}:${memberServer.client_secret}`).toString('base64');
    const headers = { authorization: `Basic ${credentials}` };
    const form = { grant_type: 'refresh_token', refresh_token: 'x' };
    const { status, body } = await walker().send('/api/oauth/token', { form, headers });
    expect([status, body['error']]).toEqual([401, spans(statement)]);
  },
  async 'auth.md PAR (RFC 9126)'(statement) {
    for (const path of ['/oauth/par', '/api/oauth/par', '/request'])
      expect(String((await walker().send(path, { form: {} })).status)).toBe(statement);
    expect((await fetched(METADATA)).body['pushed_authorization_request_endpoint']).toBeUndefined();
  },
  async 'auth.md request (RFC 9101)'(statement) {
    expect(await authorizationError(walker(), { request: 'x.y.z' })).toBe(spans(statement));
  },
  async 'auth.md request_uri (RFC 9101)'(statement) {
    expect(await authorizationError(walker(), { request_uri: 'urn:x' })).toBe(spans(statement));
  },
  async 'auth.md DPoP (RFC 9449)'(statement) {
    const actor = walker();
    const form = {
      grant_type: 'refresh_token',
      refresh_token: (await actor.tokens()).refresh_token,
      client_id: member.client_id,
    };
    const { status, body } = await actor.send('/api/oauth/token', { form, headers: { dpop: 'x.y.z' } });
    expect([status, `ignored: \`token_type\` is \`${String(body['token_type'])}\``]).toEqual([200, statement]);
    expect((await fetched(METADATA)).body['dpop_signing_alg_values_supported']).toBeUndefined();
  },
});
