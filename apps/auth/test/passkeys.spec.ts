import { Authenticator, FLAGS } from '@lyceum/testing';
import type { Page } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import { PeopleService } from '#src/people/people.service.js';
import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth, TestSite } from './auth.js';
import { Flow, SERVER } from './flow.js';
import { Hold } from './hold.js';
import { PASSKEYS, sendCredential, signInPage, optionsOf, shown, signedIn, withPasskey } from './passkey-flow.js';

let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth();
});
beforeEach(() => auth.sql('DELETE FROM passkeys'));
afterAll(() => auth.stop());

const events = async (name: string) =>
  auth.sql<{ event: string; method: string | null }>(
    `SELECT event, details ->> 'method' AS method FROM audit_log JOIN people USING (person_id)
      WHERE email = $1 ORDER BY audit_id`,
    [`${name}@school.example`],
  );
const claims = (idToken = ''): Record<string, unknown> =>
  JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

describe('A passkey', () => {
  it.each(['ES256', 'EdDSA', 'RS256'] as const)('signs in at the account with an %s passkey', async (kind) => {
    const authenticator = new Authenticator(auth.site.base_url, { kind });
    const made = await withPasskey(auth, 'student', { authenticator });
    expect([made.page.status, made.page.url.pathname]).toEqual([200, PASSKEYS]);
    expect(made.page.body).toContain('<h2>Phone</h2>');
    expect(made.page.body).toContain('not used yet');
    const { flow, page, options } = await signInPage(auth);
    const account = await sendCredential(flow, page, authenticator.get(options));
    expect([account.status, account.url.pathname]).toEqual([200, '/account']);
    expect(account.body).toContain('student@school.example');
    expect((await flow.browser.open(PASSKEYS)).body).toMatch(/last used <time/);
  });

  it('stands first on a browser whose last sign-in was by passkey', async () => {
    const { authenticator } = await withPasskey(auth, 'student');
    const { flow, page, options } = await signInPage(auth);
    const order = ({ body }: Page): string[] =>
      [...body.matchAll(/data-ceremony="get"|type="password"/g)].map(([part]) => part);
    const [passkey, password] = ['data-ceremony="get"', 'type="password"'];
    expect(order(page)).toEqual([password, passkey]);
    await sendCredential(flow, page, authenticator.get(options));
    const again = async (): Promise<Page> => flow.browser.open(flow.authorizationUrl({ prompt: 'login' }));
    expect(order(await again())).toEqual([passkey, password]);
    const consent = await flow.signIn(await again(), 'student');
    expect([consent.status, consent.body.includes('value="approve"')]).toEqual([200, true]);
    expect(order(await again())).toEqual([password, passkey]);
  });

  it('signs in for an application repeatedly with a passkey, and returns auth_time', async () => {
    const { authenticator } = await withPasskey(auth, 'owner');
    const flow = new Flow(auth, auth.site, SERVER);
    const signIn = async (parameters: Record<string, string>) => {
      const page = await flow.browser.open(flow.authorizationUrl(parameters));
      return sendCredential(flow, page, authenticator.get(optionsOf(page)));
    };
    const consent = await signIn({});
    const { url } = await flow.decide(consent, 'approve');
    expect((await flow.exchange(url.searchParams.get('code'))).status).toBe(200);

    const parameters: Record<string, string>[] = [{ prompt: 'login' }, { max_age: '3599' }];
    for (const one of parameters) {
      // Simulates a sign-in an hour ago.
      await auth.sql(
        `UPDATE sessions SET payload = payload || jsonb_build_object('loginTs', (payload ->> 'loginTs')::int - 3600)`,
      );
      const before = Math.floor(Date.now() / 1000);
      const again = await signIn(one);
      const { body } = await flow.exchange(again.url.searchParams.get('code'));
      expect(Number(claims(String(body['id_token']))['auth_time'])).toBeGreaterThanOrEqual(before);
    }
    const silent = await flow.browser.open(flow.authorizationUrl({ max_age: '3599' }));
    expect(silent.url.searchParams.has('code')).toBe(true);
  });

  it('audits adding, using and removing a passkey', async () => {
    const { flow, authenticator } = await withPasskey(auth, 'lecturer');
    const other = await signInPage(auth);
    await sendCredential(other.flow, other.page, authenticator.get(other.options));
    const { body } = await flow.browser.open(PASSKEYS);
    await remove(flow, body);
    expect((await remove(flow, body)).status).toBe(200);
    expect(await events('lecturer')).toEqual([
      { event: 'role.changed', method: null },
      { event: 'sign_in.succeeded', method: 'password' },
      { event: 'passkey.added', method: null },
      { event: 'sign_in.succeeded', method: 'passkey' },
      { event: 'passkey.removed', method: null },
    ]);
    const sessions = await auth.sql<{ amr: string[] }>(
      `SELECT payload -> 'amr' AS amr FROM sessions JOIN people USING (person_id) WHERE email LIKE 'lecturer@%' ORDER BY 1`,
    );
    expect(sessions.map(({ amr }) => amr)).toEqual([['pwd'], ['mfa', 'pop', 'user']]);
    const gone = await signInPage(auth);
    expect((await sendCredential(gone.flow, gone.page, authenticator.get(gone.options))).status).toBe(422);
  });

  it('accepts a passkey without a counter repeatedly', async () => {
    const authenticator = new Authenticator(auth.site.base_url, { count: null });
    await withPasskey(auth, 'student', { authenticator });
    for (let time = 0; time < 2; time += 1) {
      const { flow, page, options } = await signInPage(auth);
      expect((await sendCredential(flow, page, authenticator.get(options))).url.pathname).toBe('/account');
    }
  });

  it('accepts attestation and backup flags of a passkey, also when they change', async () => {
    const flow = await signedIn(auth, 'student');
    const authenticator = new Authenticator(auth.site.base_url);
    const page = await flow.submit(await flow.browser.open(PASSKEYS), 'current', { current: PASSWORD });
    const flags = { set: FLAGS.backupEligible };
    const credential = authenticator.create(optionsOf(page), { attestation: 'self', flags });
    const list = await flow.submit(page, 'credential', { credential, name: 'Manager' });
    expect(list.body).toContain('It is on one device only.');
    const { flow: later, page: form, options } = await signInPage(auth);
    await sendCredential(
      later,
      form,
      authenticator.get(options, { flags: { set: FLAGS.backupEligible | FLAGS.backedUp } }),
    );
    expect((await later.browser.open(PASSKEYS)).body).toContain('Your devices share it.');
  });

  it('refuses a passkey of a suspended person, and deletes passkeys of a deleted person, pending ones too', async () => {
    const { authenticator } = await withPasskey(auth, 'both');
    const signIn = async () => {
      const { flow, page, options } = await signInPage(auth);
      return sendCredential(flow, page, authenticator.get(options));
    };
    const setState = (state: string) =>
      auth.sql(`UPDATE people SET state = $1 WHERE email = 'both@school.example'`, [state]);
    await setState('suspended');
    expect((await signIn()).status).toBe(422);
    await setState('active');
    expect((await signIn()).url.pathname).toBe('/account');
    const [{ person_id } = { person_id: '' }] = await auth.sql<{ person_id: string }>('SELECT person_id FROM passkeys');
    const people = auth.app.get(PeopleService);
    const adding = await Hold.of(
      auth,
      `WITH held AS (SELECT person_id FROM people WHERE person_id = $1 FOR NO KEY UPDATE)
       INSERT INTO passkeys (site_id, person_id, name, credential_id, public_key, sign_count, backup_eligible, backed_up,
                             transports)
       SELECT $2, person_id, 'Late', 'late', '', 0, false, false, '{}' FROM held`,
      [person_id, auth.site.site_id],
    );
    const erasing = auth.app.get(DataSource).transaction((manager) => people.erase(manager, person_id));
    await adding.waiting(1);
    await adding.release();
    await erasing;
    expect(await auth.sql('SELECT 1 FROM passkeys WHERE person_id = $1', [person_id])).toEqual([]);
    expect((await signIn()).status).toBe(422);
  });

  it('keeps passkeys when the password changes', async () => {
    const { flow, authenticator } = await withPasskey(auth, 'admin');
    const change = await flow.browser.open('/account/change-password');
    await flow.submit(change, 'current', { current: PASSWORD, password: 'another-long-password' });
    const { flow: later, page, options } = await signInPage(auth);
    expect((await sendCredential(later, page, authenticator.get(options))).url.pathname).toBe('/account');
  });
});

function remove(flow: Flow, body: string): Promise<Page> {
  const value = (name: string): string => new RegExp(`name="${name}" value="([^"]+)"`).exec(body)?.[1] ?? '';
  const form = new URLSearchParams({ csrf: value('csrf'), passkey: value('passkey') });
  return flow.browser.open(`${PASSKEYS}/remove`, form);
}

describe('The sign-in page', () => {
  it('requests any verified passkey of the site, and reveals no account', async () => {
    await withPasskey(auth, 'student');
    const { page } = await signInPage(auth);
    expect(optionsOf(page)).toEqual({
      challenge: expect.any(String),
      rpId: 'localhost',
      timeout: LIFETIMES.passkeyChallenge * 1000,
      userVerification: 'required',
    });
    expect(page.body).toContain('autocomplete="username webauthn"');
    expect(page.body).toMatch(/<form[^>]*data-ceremony="get"[^>]*\shidden\s*>/);
  });

  it('loads its own scripts with an integrity hash and immutable caching', async () => {
    const flow = new Flow(auth);
    const { headers, body } = await flow.send('/account/sign-in');
    const scripts = [...String(body['text']).matchAll(/<script src="([^"]+)" integrity="([^"]+)" defer><\/script>/g)];
    expect(scripts.map(([, path]) => path?.replace(/\w{16}/, ''))).toEqual([
      '/account/scripts/passkeys..js',
      '/account/scripts/page..js',
    ]);
    const sources = scripts.map(([, , integrity]) => `'${integrity}'`).join(' ');
    expect(headers.get('content-security-policy')).toContain(`script-src ${sources};`);
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|script-src[^;]*'self'/);
    for (const [, path = '', integrity] of scripts) {
      const script = await fetch(new URL(path, auth.site.base_url));
      expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
      const digest = await crypto.subtle.digest('SHA-256', await script.arrayBuffer());
      expect(integrity).toBe(`sha256-${Buffer.from(digest).toString('base64')}`);
      expect((await flow.send(path.replace(/\w{16}/, '0'.repeat(16)))).status).toBe(404);
    }
  });
});

describe('A site whose host is an IP address', () => {
  const at = (site: TestSite) => new Flow(auth, site);

  it('offers and accepts no passkeys at an IP address', async () => {
    const flow = at(auth.other);
    const page = await flow.browser.open('/account/sign-in');
    expect(page.body).not.toMatch(/passkey|webauthn/);
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    const authenticator = new Authenticator(auth.other.base_url);
    const credential = authenticator.get({ challenge: 'AAAA', rpId: '127.0.0.1' });
    const refused = await flow.browser.open('/account/sign-in', new URLSearchParams({ csrf, credential }));
    expect(refused.status).toBe(422);

    const account = await signedIn(auth, 'stranger', auth.other);
    expect((await account.browser.open('/account')).body).not.toContain('passkey');
    const none = await account.browser.open(PASSKEYS);
    expect([none.status, shown(none)]).toEqual([404, expect.stringContaining('This site has no passkeys')]);
  });
});
