import { Authenticator, FLAGS } from '@lyceum/testing';
import type { Page, Tampering } from '@lyceum/testing';
import { BODY_LIMIT } from '#src/edge/body.js';
import { LIMITS } from '#src/limits/limits.js';
import { startAuth } from './auth.js';
import type { TestAuth, TestSite } from './auth.js';
import { Flow } from './flow.js';
import { sendCredential, signInPage, optionsOf, shown, withPasskey } from './passkey-flow.js';

let auth: TestAuth;
let authenticator: Authenticator;
/** A passkey of another person. */
let another: Authenticator;
/** On the same host as the first one, at another port: the same RP ID. */
let neighbor: TestSite;
/** The text for every invalid passkey. */
let refusal: string;

beforeAll(async () => {
  auth = await startAuth();
  const [site] = (
    await auth.apply({
      sites: [
        {
          base_url: 'http://localhost:9',
          name: 'Neighbor',
          slug: 'neighbor',
          people: [{ email: 'student@school.example', name: 'The student', roles: ['student'] }],
        },
      ],
    })
  ).sites;
  if (site === undefined) throw new Error('There is no neighbor');
  neighbor = site;
  ({ authenticator } = await withPasskey(auth, 'student'));
  ({ authenticator: another } = await withPasskey(auth, 'owner'));
  const { flow, page } = await signInPage(auth);
  refusal = shown(await sendCredential(flow, page, '{}'));
});
beforeEach(() => auth.resetLimits());
afterAll(() => auth.stop());

/** The response to a passkey of the student in a new browser. */
async function attempt(tampering: Tampering): Promise<Page> {
  const { flow, page, options } = await signInPage(auth);
  return sendCredential(flow, page, authenticator.get(options, tampering));
}

async function expectRefused(page: Page): Promise<void> {
  expect(shown(page)).toBe(refusal);
  const [last] = await auth.sql<{ event: string }>(
    `SELECT event FROM audit_log WHERE event LIKE 'sign_in.%' ORDER BY audit_id DESC LIMIT 1`,
  );
  expect(last?.event).toBe('sign_in.failed');
}

describe('Attacks on the passkey sign-in', () => {
  it('shows that the passkey does not sign in here', () => {
    expect(refusal).toMatch(/^422 [\s\S]*This passkey does not sign you in here/);
  });

  it.each<[string, Tampering]>([
    ['with a signature that was changed', { tampered: true }],
    ['of another origin', { clientData: { origin: 'https://evil.example' } }],
    ['of the same host at another port', { clientData: { origin: 'http://localhost:9' } }],
    ['of another RP ID', { rpId: 'evil.example' }],
    ['in a frame of another site', { clientData: { crossOrigin: true } }],
    ['in a frame of another site, as the frame says', { clientData: { topOrigin: 'https://evil.example' } }],
    ['of another ceremony', { clientData: { type: 'webauthn.create' } }],
    ['without user verification', { flags: { unset: FLAGS.verified } }],
    ['without user presence', { flags: { unset: FLAGS.present } }],
    ['that may be on several devices all of a sudden', { flags: { set: FLAGS.backupEligible } }],
    ['that is on several devices and may not be', { flags: { set: FLAGS.backedUp } }],
    ['without a user handle', { userHandle: null }],
    ['with an unknown user handle', { userHandle: 'AAAA' }],
    ['that is unknown', { id: Buffer.alloc(32).toString('base64url') }],
    ['without a challenge', { clientData: { challenge: undefined } }],
  ])('shows the same error page for a passkey %s', async (_case, tampering) => {
    await expectRefused(await attempt(tampering));
    expect((await attempt({})).url.pathname).toBe('/account');
  });

  it('refuses the passkey of another person under a swapped credential id', async () => {
    await expectRefused(await attempt({ id: another.id }));
    const { flow, page, options } = await signInPage(auth);
    await expectRefused(await sendCredential(flow, page, another.get(options, { id: authenticator.id })));
    const [own, other] = [await signInPage(auth), await signInPage(auth)];
    const { response } = JSON.parse(another.get(own.options)) as { response: { userHandle: string } };
    const { userHandle } = response;
    await expectRefused(await sendCredential(other.flow, other.page, authenticator.get(other.options, { userHandle })));
  });

  it('refuses a passkey of another site on the same host, also for a member of both', async () => {
    const { flow, page, options } = await signInPage(auth, neighbor);
    const clientData = { origin: neighbor.base_url };
    const there = await sendCredential(flow, page, authenticator.get(options, { clientData }));
    expect(shown(there).replaceAll('Neighbor', auth.site.name)).toBe(refusal);
    const itsOwn = new Authenticator(neighbor.base_url);
    const made = await withPasskey(auth, 'student', { site: neighbor, authenticator: itsOwn });
    expect(made.page.body).toContain('<h2>Phone</h2>');
    expect(made.page.body.match(/<h2>Phone/g)).toHaveLength(1);
    const again = await signInPage(auth, neighbor);
    expect((await sendCredential(again.flow, again.page, itsOwn.get(again.options))).url.pathname).toBe('/account');
    const here = await signInPage(auth);
    const { origin } = new URL(auth.site.base_url);
    await expectRefused(
      await sendCredential(here.flow, here.page, itsOwn.get(here.options, { clientData: { origin } })),
    );
  });

  it('refuses a passkey whose counter does not grow, and audits it', async () => {
    const copied = new Authenticator(auth.site.base_url);
    await withPasskey(auth, 'lecturer', { authenticator: copied });
    const signIn = async (count: number) => {
      const { flow, page, options } = await signInPage(auth);
      return sendCredential(flow, page, copied.get(options, { count }));
    };
    expect((await signIn(7)).url.pathname).toBe('/account');
    for (const count of [7, 6, 0]) {
      await expectRefused(await signIn(count));
      const [entry] = await auth.sql<{ details: object }>(
        `SELECT details FROM audit_log WHERE event = 'passkey.count_went_back' ORDER BY audit_id DESC LIMIT 1`,
      );
      expect(entry?.details).toMatchObject({ stored: 7, given: count });
    }
    expect((await signIn(8)).url.pathname).toBe('/account');
  });
});

describe('A challenge', () => {
  const expectStale = (page: Page): void => {
    expect([page.status, page.body]).toEqual([403, expect.stringContaining('was already used. Try again.')]);
  };

  it('accepts a challenge once, also for concurrent responses', async () => {
    const { flow, page, options } = await signInPage(auth);
    const credential = authenticator.get(options);
    const cookie = flow.browser.cookiesFor('/account');
    const form = Object.fromEntries(
      [...page.body.matchAll(/name="(csrf|next)" value="([^"]*)"/g)].map((m) => [m[1], m[2]]),
    );
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => flow.post('/account/sign-in', { ...form, credential }, { cookie })),
    );
    expect(responses.map(({ status }) => String(status)).toSorted()).toEqual(['303', ...Array<string>(7).fill('403')]);
  });

  it('consumes a challenge with a wrong response', async () => {
    const { flow, page, options } = await signInPage(auth);
    const wrong = await sendCredential(flow, page, authenticator.get(options, { tampered: true }));
    expect(wrong.status).toBe(422);
    expectStale(await sendCredential(flow, wrong, authenticator.get(options)));
    expect((await sendCredential(flow, await flow.browser.open('/account/sign-in'), 'x')).status).toBe(422);
  });

  it('accepts a challenge only in its browser and interaction', async () => {
    const [one, other] = [await signInPage(auth), await signInPage(auth)];
    expectStale(await sendCredential(other.flow, other.page, authenticator.get(one.options)));
    const flow = new Flow(auth);
    const page = await flow.browser.open(flow.authorizationUrl());
    expectStale(await sendCredential(flow, page, authenticator.get(one.options)));
    expectStale(await sendCredential(one.flow, one.page, authenticator.get(optionsOf(page))));
  });

  it('expires a challenge after ten minutes', async () => {
    const older = (seconds: number) =>
      auth.sql(`UPDATE passkey_challenges SET expires_at = expires_at - make_interval(secs => $1)`, [seconds]);
    const [young, old] = [await signInPage(auth), await signInPage(auth)];
    await older(580);
    expect((await sendCredential(young.flow, young.page, authenticator.get(young.options))).url.pathname).toBe(
      '/account',
    );
    await older(20);
    expectStale(await sendCredential(old.flow, old.page, authenticator.get(old.options)));
  });

  it('refuses an unknown challenge', async () => {
    expectStale(await attempt({ clientData: { challenge: Buffer.alloc(32).toString('base64url') } }));
  });

  it('stores a challenge as a digest only', async () => {
    const { options } = await signInPage(auth);
    const rows = await auth.sql<{ text: string }>('SELECT row_to_json(t)::text AS text FROM passkey_challenges t');
    expect(rows.length).toBeGreaterThan(0);
    const raw = Buffer.from(options.challenge, 'base64url').toString('hex');
    for (const { text } of rows) expect(text.includes(raw) || text.includes(options.challenge)).toBe(false);
  });
});

describe('A malformed passkey response', () => {
  const response = { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA', userHandle: 'AAAA' };
  const NULL = Buffer.from('null').toString('base64url');
  const shell = { id: 'AAAA', rawId: 'AAAA', type: 'public-key' };

  it.each<[string, string]>([
    ['no JSON', 'x'],
    ['half of an object', '{'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"text"'],
    ['a number', '7'],
    ['an object in place of an id', '{"id":{}}'],
    ['bytes in place of client data', JSON.stringify({ ...shell, response })],
    ['a number in place of client data', JSON.stringify({ ...shell, response: { ...response, clientDataJSON: 7 } })],
    ['null in place of client data', JSON.stringify({ ...shell, response: { ...response, clientDataJSON: NULL } })],
    ['another type of credential', JSON.stringify({ ...shell, type: 'password', response })],
    ['a deep list', `${'['.repeat(2000)}${']'.repeat(2000)}`],
    ['characters of all kinds', 'ünï\u{1f511}'],
  ])('refuses a malformed passkey response: %s', async (_case, credential) => {
    const { flow, page } = await signInPage(auth);
    await expectRefused(await sendCredential(flow, page, credential));
  });

  it('refuses the right challenge with a malformed response', async () => {
    for (const nonsense of [
      { authenticatorData: 'AAAA' },
      { authenticatorData: Buffer.alloc(5000, 0xff).toString('base64url') },
      { signature: '' },
      { signature: 'AAAA' },
    ]) {
      const { flow, page, options } = await signInPage(auth);
      const good = JSON.parse(authenticator.get(options)) as { response: object };
      const credential = JSON.stringify({ ...good, response: { ...good.response, ...nonsense } });
      await expectRefused(await sendCredential(flow, page, credential));
    }
  });

  it('reports an error of the request itself', async () => {
    const { flow } = await signInPage(auth);
    const statuses = [
      await flow.post('/account/sign-in', { credential: 'x'.repeat(BODY_LIMIT) }),
      await flow.post('/account/sign-in', { credential: '\0' }),
      await flow.send('/account/sign-in', {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      }),
      await flow.send('/account/sign-in', { method: 'POST', body: new URLSearchParams('credential=x&credential=y') }),
      await flow.post('/account/sign-in', { credential: '{}' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([413, 400, 415, 403, 403]);
  });
});

describe('Passkey failures of one source', () => {
  it('blocks neither passkeys nor passwords after passkey failures of one source', async () => {
    const { flow, page } = await signInPage(auth);
    const { hits } = LIMITS.failed_sign_ins;
    let last = page;
    for (let time = 0; time <= hits; time += 1) last = await sendCredential(flow, last, 'x');
    expect(last.status).toBe(422);
    const { flow: browser, page: form, options } = await signInPage(auth);
    expect((await sendCredential(browser, form, authenticator.get(options))).url.pathname).toBe('/account');
    const other = await signInPage(auth);
    expect((await other.flow.signIn(other.page, 'student')).url.pathname).toBe('/account');
  });
});
