import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, postForms } from '@lyceum/testing';
import { CALLBACK, memberServer, site, type ApiResponse } from '../security/oauth/attack.js';
import { personOf } from '../stack/system-stack.js';
import { prove } from './prove.js';
import { command, ownClient } from '../stack/auth-command.js';
import { durations, sha256, sql, walker } from './walker.js';

/** Seconds around a limit that absorb the duration of the test. */
const MARGIN = 20;

/** Ages one code or token by some seconds. */
async function age(
  table: 'authorization_codes' | 'refresh_tokens',
  credential: string,
  seconds: number,
): Promise<void> {
  const key = table === 'authorization_codes' ? 'code_hash' : 'token_hash';
  await sql(
    `UPDATE ${table} SET expires_at = expires_at - make_interval(secs => $2),
            payload = payload || jsonb_build_object('iat', (payload->>'iat')::int - $2::int, 'exp', (payload->>'exp')::int - $2::int)
      WHERE ${key} = $1`,
    sha256(credential),
    seconds,
  );
  await sql(
    'UPDATE grants SET used_at = used_at - make_interval(secs => $2) WHERE used_token = $1',
    sha256(credential),
    seconds,
  );
}

const older = (table: string, key: string, id: string, seconds: number): Promise<unknown> =>
  sql(`UPDATE ${table} SET expires_at = expires_at - make_interval(secs => $2) WHERE ${key} = $1`, sha256(id), seconds);

const outcomeOf = ({ status, body }: ApiResponse): unknown => (status === 200 ? 200 : body['error']);
const claimsOf = (token: string): Record<string, number> =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, number>;

/** Expects the lifetime of a link that sets a password. */
async function expectLink(link: unknown, lifetime: number): Promise<void> {
  const { pathname, search, searchParams } = new URL(String(link));
  const token = searchParams.get('token')!;
  const { browser } = walker();
  await older('invitations', 'token_hash', token, lifetime - MARGIN);
  expect((await browser.open(pathname + search)).status).toBe(200);
  await older('invitations', 'token_hash', token, MARGIN + 1);
  expect((await browser.open(pathname + search)).status).toBe(404);
}

/** A client that registered itself, of that age and with that time since its last use; the client_id. */
async function registered(made: number, used: number | null): Promise<string> {
  const { body } = await walker().send('/api/oauth/register', { json: { redirect_uris: [CALLBACK] } });
  await sql(
    `UPDATE clients SET created_at = now() - make_interval(secs => $2), last_used_at = now() - make_interval(secs => $3)
      WHERE client_id = $1`,
    body['client_id'],
    made,
    used,
  );
  return String(body['client_id']);
}

/** The status of an assertion that has the right challenge, `age` seconds old, and is otherwise invalid. */
async function responseToChallenge(age: number): Promise<number> {
  const { browser } = walker();
  const page = await browser.open('/account/sign-in');
  const challenge = /data-passkey="{[^"]*&quot;challenge&quot;:&quot;([\w-]+)&quot;/.exec(page.body)![1]!;
  await older('passkey_challenges', 'challenge_hash', challenge, age);
  const clientDataJSON = Buffer.from(JSON.stringify({ challenge })).toString('base64url');
  const response = { clientDataJSON, authenticatorData: 'AAAA', signature: 'AAAA', userHandle: 'AAAA' };
  const form = postForms(page.body).find(({ names }) => names.has('credential'))!;
  form.fields.set('credential', JSON.stringify({ id: 'AAAA', rawId: 'AAAA', type: 'public-key', response }));
  return (await browser.open(form.action, form.fields)).status;
}

prove('lifetimes', {
  async 'auth.md Authorization code'(statement) {
    const [lifetime] = durations(statement);
    const actor = walker();
    const [young, old] = [await actor.code(), await actor.code()];
    await age('authorization_codes', young, lifetime! - MARGIN);
    await age('authorization_codes', old, lifetime! + 1);
    expect(outcomeOf(await actor.exchange(young))).toBe(200);
    expect(outcomeOf(await actor.exchange(old))).toBe('invalid_grant');
  },

  async 'auth.md Access token'(statement) {
    const [lifetime] = durations(statement);
    const actor = walker();
    const { access_token, expires_in } = await actor.tokens();
    expect(expires_in).toBe(lifetime);
    await older('access_tokens', 'token_hash', access_token, lifetime! - MARGIN);
    expect((await actor.userInfo(access_token)).status).toBe(200);
    await older('access_tokens', 'token_hash', access_token, MARGIN + 1);
    expect((await actor.userInfo(access_token)).status).toBe(401);
  },

  async 'auth.md id_token'(statement) {
    const { iat, exp } = claimsOf((await walker().tokens()).id_token);
    expect([exp! - iat!]).toEqual(durations(statement));
  },

  async 'auth.md Refresh token'(statement) {
    const [idle, most] = durations(statement);
    const actor = walker();
    const [young, old, aged] = [await actor.tokens(), await actor.tokens(), await actor.tokens()];
    await age('refresh_tokens', young.refresh_token, idle! - MARGIN);
    await age('refresh_tokens', old.refresh_token, idle! + 1);
    expect(outcomeOf(await actor.refresh(young.refresh_token))).toBe(200);
    expect(outcomeOf(await actor.refresh(old.refresh_token))).toBe('invalid_grant');
    // An hour before the family ends, a new token lives for that hour only.
    await sql(
      `UPDATE refresh_tokens SET payload = payload || jsonb_build_object('iiat', (payload->>'iat')::int - $2::int)
        WHERE token_hash = $1`,
      sha256(aged.refresh_token),
      most! - 3600,
    );
    const { body } = await actor.refresh(aged.refresh_token);
    const [row] = await sql<{ left: number }>(
      'SELECT extract(epoch FROM expires_at - now())::int AS left FROM refresh_tokens WHERE token_hash = $1',
      sha256(String(body['refresh_token'])),
    );
    expect(row!.left).toBeGreaterThan(3600 - MARGIN);
    expect(row!.left).toBeLessThanOrEqual(3600);
  },

  async 'auth.md Replaced refresh token'(statement) {
    const [repeatable] = durations(statement);
    const actor = walker();
    const { refresh_token } = await actor.tokens();
    expect(outcomeOf(await actor.refresh(refresh_token))).toBe(200);
    await age('refresh_tokens', refresh_token, repeatable! - MARGIN);
    expect(outcomeOf(await actor.refresh(refresh_token))).toBe(200);
    await age('refresh_tokens', refresh_token, MARGIN + 1);
    expect(outcomeOf(await actor.refresh(refresh_token))).toBe('invalid_grant');
  },

  async 'auth.md Approval remembered'(statement) {
    const [lifetime] = durations(statement);
    // Approval of a public client on loopback is never remembered.
    const redirect_uri = 'https://app.example/callback';
    const made = await ownClient(site, { audience: 'member', redirect_uri, scope: 'openid account:read' });
    const client = { ...made, redirect_uri };
    const actor = walker();
    const pass = (seconds: number): Promise<unknown> =>
      sql(
        `UPDATE consents SET expires_at = expires_at - make_interval(secs => $2)
          WHERE client_key = (SELECT client_key FROM clients WHERE client_id = $1)`,
        client.client_id,
        seconds,
      );
    await actor.code(client);
    await pass(lifetime! - MARGIN);
    const silent = await actor.browser.open(actor.authorization(client));
    expect(silent.url.searchParams.has('code')).toBe(true);
    await pass(MARGIN + 1);
    const consent = await actor.browser.open(actor.authorization(client));
    expect(consent.body).toContain('value="approve"');
  },

  async 'auth.md Time to sign in and decide'(statement) {
    const [lifetime] = durations(statement);
    const actor = walker();
    const page = await actor.browser.open(actor.authorization());
    const uid = page.url.pathname.split('/').at(-1)!;
    await older('interactions', 'interaction_hash', uid, lifetime! - MARGIN);
    expect((await actor.browser.open(page.url)).body).toContain('name="password"');
    await older('interactions', 'interaction_hash', uid, MARGIN + 1);
    expect((await actor.browser.open(page.url)).body).toContain('This page is no longer valid');
  },

  async 'auth.md Signed-in browser'(statement) {
    const [lifetime, most] = durations(statement);
    const actor = walker();
    const { client_id } = memberServer;
    await actor.code({ client_id });
    const session = /(?:^|; )lyceum=([^;]+)/.exec(actor.browser.cookiesFor('/'))![1]!;
    await older('sessions', 'session_hash', session, lifetime! - MARGIN);
    expect(
      (await actor.browser.open(actor.authorization({ client_id, prompt: 'none' }))).url.searchParams.has('code'),
    ).toBe(true);
    // Each authorization extends the session and may change its id.
    const now = /(?:^|; )lyceum=([^;]+)/.exec(actor.browser.cookiesFor('/'))![1]!;
    await older('sessions', 'session_hash', now, lifetime! + 1);
    expect((await actor.browser.open(actor.authorization())).body).toContain('name="password"');
    // An hour before the maximum age, a use extends the session by that hour only.
    const aged = walker();
    await aged.code({ client_id });
    const cookie = (): string => /(?:^|; )lyceum=([^;]+)/.exec(aged.browser.cookiesFor('/'))![1]!;
    await sql(
      `UPDATE sessions SET payload = payload || jsonb_build_object('loginTs', (payload ->> 'loginTs')::int - $2::int)
        WHERE session_hash = $1`,
      sha256(cookie()),
      most! - 3600,
    );
    const silent = await aged.browser.open(aged.authorization({ client_id, prompt: 'none' }));
    expect(silent.url.searchParams.has('code')).toBe(true);
    const [row] = await sql<{ left: number }>(
      'SELECT extract(epoch FROM expires_at - now())::int AS left FROM sessions WHERE session_hash = $1',
      sha256(cookie()),
    );
    expect(row!.left).toBeGreaterThan(3600 - MARGIN);
    expect(row!.left).toBeLessThanOrEqual(3600);
  },

  async 'auth.md Registered client'(statement) {
    const [unused, idle] = durations(statement);
    // The sweep runs every minute.
    const [spared, limit] = [120, 90_000];
    const kept = [await registered(unused! - spared, null), await registered(idle! * 2, idle! - spared)];
    const due = [await registered(unused! + 1, null), await registered(idle! * 2, idle! + 1)];
    const left = async (): Promise<string[]> => {
      await sleep(1_000);
      const found = await sql<{ client_id: string }>('SELECT client_id FROM clients WHERE client_id = ANY($1)', [
        ...kept,
        ...due,
      ]);
      return found.map(({ client_id }) => client_id).toSorted();
    };
    const isSwept = (ids: readonly string[]): boolean => due.every((id) => !ids.includes(id));
    expect(await eventually(left, isSwept, limit)).toEqual(kept.toSorted());
  },

  async 'auth.md Invitation'(statement) {
    const [lifetime] = durations(statement);
    const words = ['--site', site.base_url, '--email', 'invited@discovery.example', '--name', 'Invited'];
    await expectLink((await command('person', 'invite', ...words, '--role', 'student'))['link'], lifetime!);
  },

  async 'auth.md Password-reset link'(statement) {
    const [lifetime] = durations(statement);
    const words = ['--site', site.base_url, '--email', personOf(site, 'lecturer').email];
    await expectLink((await command('person', 'reset-password', ...words))['link'], lifetime!);
  },

  async 'auth.md Passkey challenge'(statement) {
    const [lifetime] = durations(statement);
    // 422: the challenge is valid, the passkey is unknown.
    expect(await responseToChallenge(lifetime! - MARGIN)).toBe(422);
    expect(await responseToChallenge(lifetime! + 1)).toBe(403);
  },
});
