import { randomUUID } from 'node:crypto';
import {
  Actor,
  AS_OPERATOR,
  AUTH,
  CALLBACK,
  member,
  memberServer,
  rawHttp,
  s256,
  site,
  type ApiResponse,
} from '../security/oauth/attack.js';
import { expectLimit, statuses, times } from './limited.js';
import { prove, type Proof } from './prove.js';
import { SIGN_IN_PROOFS } from './sign-in-limits.js';
import { command } from '../stack/auth-command.js';
import {
  authorizationError,
  durations,
  newSource,
  numbers,
  sha256,
  spend,
  sql,
  walker,
  withinOneWindow,
} from './walker.js';

const REGISTER = '/api/oauth/register';
const register = (actor: Actor, json: object): Promise<ApiResponse> => actor.send(REGISTER, { json });
/** A site of its own that takes documents from every host: no other test sees it. */
const OPEN = { base_url: 'http://documents.discovery.example', host: 'documents.discovery.example' } as const;

function authorizeByDocument(source: string, host: string): Promise<ApiResponse> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: `https://${host}/${randomUUID()}`,
    redirect_uri: CALLBACK,
    scope: 'openid',
    state: 'x',
    code_challenge: s256('x'),
    code_challenge_method: 'S256',
  });
  const headers = { host: OPEN.host, 'x-forwarded-for': source };
  return rawHttp(AUTH.internal_url, `/oauth/authorize?${query.toString()}`, { headers });
}

/** A host that cannot exist (RFC 6761 §6.4), so no request leaves this machine. */
const newHost = (): string => `${randomUUID()}.invalid`;

/** The units of a limit of the token endpoints that auth grants without asking its other replicas, and one more. */
const asked = (hits: number): number => hits / 10 + 1;

const spendOfClient = (limit: string, source: string, hits: number): Promise<unknown> =>
  spend(limit, `${site.site_id}\n${source}\n${member.client_id}`, hits - asked(hits));

const grantOf = async (access_token: string): Promise<string> => {
  const [row] = await sql<{ grant_id: string }>(
    'SELECT grant_id FROM access_tokens WHERE token_hash = $1',
    sha256(access_token),
  );
  return row!.grant_id;
};

beforeAll(async () => {
  await command('site', 'create', '--base-url', OPEN.base_url, '--name', 'Documents', '--slug', 'discovery-documents');
  await command('cimd', 'open', '--site', OPEN.base_url);
});

prove('limits', {
  ...SIGN_IN_PROOFS,

  async 'auth.md Body of a request'(statement) {
    const [bytes] = numbers(statement);
    const actor = walker();
    const start = `grant_type=refresh_token&client_id=${member.client_id}&refresh_token=x&filler=`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const request = (length: number): Promise<ApiResponse> =>
      actor.send('/api/oauth/token', { body: start + 'x'.repeat(length - start.length), headers });
    expect((await request(bytes!)).body['error']).toBe('invalid_grant');
    expect((await request(bytes! + 1)).status).toBe(413);
  },

  async 'auth.md JSON body'(statement) {
    const [levels] = numbers(statement);
    const nested = (depth: number): Promise<ApiResponse> => {
      const list = `${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`;
      return walker().send(REGISTER, {
        body: `{"redirect_uris":["${CALLBACK}"],"a":${list}}`,
        headers: { 'content-type': 'application/json' },
      });
    };
    expect((await nested(levels!)).status).toBe(201);
    expect((await nested(levels! + 1)).body['error']).toBe('invalid_request');
  },

  async 'auth.md Authorization requests'(statement) {
    const [hits] = numbers(statement);
    const [window] = durations(statement);
    const [last, next, others] = await withinOneWindow(window!, async (source) => {
      const actor = new Actor(source);
      const request = (overrides = {}): Promise<ApiResponse> => actor.send(actor.authorization(overrides));
      const [client] = await sql<{ client_key: string }>(
        'SELECT client_key FROM clients WHERE client_id = $1 AND site_id = $2',
        member.client_id,
        site.site_id,
      );
      await spend('authorizations', `${client!.client_key}\n${source}`, hits! - 1);
      const response = await request();
      // Another client at this source, and this client at another source, are not limited.
      const elsewhere = walker();
      const more = [await request(AS_OPERATOR), await elsewhere.send(elsewhere.authorization())];
      return [response, await request(), more] as const;
    });
    expectLimit([last], next, 303);
    expect(statuses(others)).toEqual([303, 303]);
  },

  async 'auth.md Authorization requests of all clients'(statement) {
    const [hits] = numbers(statement);
    const [window] = durations(statement);
    const [last, next] = await withinOneWindow(window!, async (source) => {
      const actor = new Actor(source);
      await spend('authorizations_by_source', source, hits! - 1);
      return [await actor.send(actor.authorization()), await actor.send(actor.authorization(AS_OPERATOR))] as const;
    });
    expectLimit([last], next, 303);
  },
  async 'auth.md Query of an authorization request'(statement) {
    const [most] = numbers(statement);
    const ofLength = (length: number): Promise<ApiResponse> => {
      const url = walker().authorization({ padding: '' });
      return walker().send(`${url}${'x'.repeat(length - url.slice(url.indexOf('?') + 1).length)}`);
    };
    expect(statuses([await ofLength(most!), await ofLength(most! + 1)])).toEqual([303, 400]);
  },
  ...Object.fromEntries(
    ['state', 'nonce', 'login_hint'].map((name): [string, Proof] => [
      `auth.md ${name}`,
      async (statement) => {
        const [most] = numbers(statement);
        const request = (length: number) => authorizationError(walker(), { [name]: 'x'.repeat(length) });
        expect([await request(most!), await request(most! + 1)]).toEqual([undefined, 'invalid_request']);
      },
    ]),
  ),

  async 'auth.md Registrations at this site'(statement) {
    const [hits] = numbers(statement);
    const [window] = durations(statement);
    const request = (): Promise<ApiResponse> => {
      const headers = { host: OPEN.host, 'x-forwarded-for': newSource() };
      return rawHttp(AUTH.internal_url, REGISTER, { headers, json: { redirect_uris: [CALLBACK] } });
    };
    const [row] = await sql<{ site_id: string }>('SELECT site_id FROM sites WHERE host = $1', OPEN.host);
    const [last, next] = await withinOneWindow(window!, async () => {
      await spend('registration_by_site', row!.site_id, hits! - 1);
      return [await request(), await request()] as const;
    });
    expectLimit([last], next, 201);
  },

  async 'auth.md Registrations'(statement) {
    const [hits] = numbers(statement);
    const [window] = durations(statement);
    await withinOneWindow(window!, async (source) => {
      const actor = new Actor(source);
      const within = await times(hits!, () => register(actor, { client_name: 'x' }));
      return [within, await register(actor, { client_name: 'x' })] as const;
    }).then(([within, next]) => expectLimit(within, next, 400));
  },

  async 'auth.md client_name'(statement) {
    const [length] = numbers(statement);
    const named = (characters: number): Promise<ApiResponse> =>
      register(walker(), { client_name: 'n'.repeat(characters), redirect_uris: [CALLBACK] });
    expect((await named(length!)).status).toBe(201);
    expect((await named(length! + 1)).body['error']).toBe('invalid_client_metadata');
  },

  async 'auth.md redirect_uris'(statement) {
    const [count, length] = numbers(statement);
    const registered = (redirect_uris: readonly string[]): Promise<ApiResponse> =>
      register(walker(), { redirect_uris });
    const many = (n: number): string[] => Array.from({ length: n }, (_, index) => `${CALLBACK}/${index}`);
    const long = (characters: number): string[] => [CALLBACK.padEnd(characters, 'x')];
    for (const within of [many(count!), long(length!)]) expect((await registered(within)).status).toBe(201);
    for (const beyond of [many(count! + 1), long(length! + 1)])
      expect((await registered(beyond)).body['error']).toBe('invalid_redirect_uri');
  },

  async 'auth.md Client metadata documents'(statement) {
    const [hits] = numbers(statement);
    const [window] = durations(statement);
    const [within, next] = await withinOneWindow(window!, async (source) => {
      const responses = await times(hits!, () => authorizeByDocument(source, newHost()));
      return [responses, await authorizeByDocument(source, newHost())] as const;
    });
    expectLimit(within, next, 400);
  },

  async 'auth.md Client metadata documents of one host'(statement) {
    const [hits] = numbers(statement);
    const [window] = durations(statement);
    const [last, next] = await withinOneWindow(window!, async () => {
      const host = newHost();
      await spend('documents_by_host', host, hits! - 1);
      return [await authorizeByDocument(newSource(), host), await authorizeByDocument(newSource(), host)] as const;
    });
    expectLimit([last], next, 400);
  },

  async 'auth.md Wrong client secrets'(statement) {
    const [hits] = numbers(statement);
    const [window] = durations(statement);
    const { client_id } = memberServer;
    const [within, next] = await withinOneWindow(window!, async (source) => {
      const actor = new Actor(source);
      const form = { grant_type: 'refresh_token', refresh_token: 'x', client_id, client_secret: 'wrong' };
      const responses: ApiResponse[] = [];
      // One after the other: concurrent requests would all be checked before the limit.
      while (responses.length < hits!) responses.push(await actor.token(form));
      return [responses, await actor.token(form)] as const;
    });
    expectLimit(within, next, 401);
  },

  async 'auth.md Token requests'(statement) {
    const [hits] = numbers(statement);
    const source = newSource();
    const actor = new Actor(source);
    const request = (client_id = member.client_id): Promise<ApiResponse> =>
      actor.token({ grant_type: 'refresh_token', refresh_token: 'x', client_id });
    await spendOfClient('token_requests', source, hits!);
    const responses = await times(asked(hits!), () => request());
    expectLimit(responses, await request(), 400);
    expect((await request(AS_OPERATOR.client_id)).status).toBe(400);
    expect((await walker().refresh('x')).status).toBe(400);
  },

  async 'auth.md Token requests of one grant'(statement) {
    const [hits] = numbers(statement);
    const actor = walker();
    const tokens = await actor.tokens();
    await spend('token_requests_of_grant', await grantOf(tokens.access_token), hits! - asked(hits!));
    let { refresh_token } = tokens;
    const responses: ApiResponse[] = [];
    // The code exchange was the first request.
    while (responses.length < asked(hits!) - 1) {
      const response = await actor.refresh(refresh_token);
      responses.push(response);
      refresh_token = String(response.body['refresh_token']);
    }
    expectLimit(responses, await walker().refresh(refresh_token), 200);
  },

  async 'auth.md Revocations'(statement) {
    const [hits] = numbers(statement);
    const source = newSource();
    const form = { token: 'x', client_id: member.client_id };
    const request = (): Promise<ApiResponse> => new Actor(source).send('/api/oauth/revoke', { form });
    await spendOfClient('revocations', source, hits!);
    const responses = await times(asked(hits!), request);
    expectLimit(responses, await request(), 200);
  },

  async 'auth.md Introspections'(statement) {
    const [hits] = numbers(statement);
    const source = newSource();
    const form = { token: 'x', client_id: member.client_id };
    const request = (): Promise<ApiResponse> => new Actor(source).send('/api/oauth/introspect', { form });
    await spendOfClient('introspections', source, hits!);
    const responses = await times(asked(hits!), request);
    expectLimit(responses, await request(), 200);
  },

  async 'auth.md Refused access tokens at UserInfo'(statement) {
    const [hits] = numbers(statement);
    const [window] = durations(statement);
    const [last, next] = await withinOneWindow(window!, async (source) => {
      const actor = new Actor(source);
      await spend('refused_tokens', source, hits! - 1);
      return [await actor.userInfo('x'), await actor.userInfo('x')] as const;
    });
    expectLimit([last], next, 401);
  },

  async 'auth.md UserInfo requests of one grant'(statement) {
    const [hits] = numbers(statement);
    const actor = walker();
    const { access_token, refresh_token } = await actor.tokens();
    await spend('userinfo_requests', await grantOf(access_token), hits! - asked(hits!));
    const responses = await times(asked(hits!), () => actor.userInfo(access_token));
    const refreshed = await actor.refresh(refresh_token);
    expectLimit(responses, await actor.userInfo(String(refreshed.body['access_token'])), 200);
  },
});
