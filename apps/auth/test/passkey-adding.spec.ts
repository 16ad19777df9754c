import { Authenticator, FLAGS } from '@lyceum/testing';
import type { Page, Tampering } from '@lyceum/testing';
import { PASSKEY_LIMITS } from '#src/passkeys/passkey.policy.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import type { Flow } from './flow.js';
import { Hold } from './hold.js';
import { PASSKEYS, signInPage, creationPage, optionsOf, signedIn, withPasskey } from './passkey-flow.js';

let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth();
});
beforeEach(() => auth.sql('DELETE FROM passkeys'));
beforeEach(() => auth.sql('DELETE FROM mails'));
beforeEach(() => auth.sql('DELETE FROM sign_in_attempts'));
afterAll(() => auth.stop());

const authenticator = (options: ConstructorParameters<typeof Authenticator>[1] = {}): Authenticator =>
  new Authenticator(auth.site.base_url, options);
const add = (flow: Flow, page: Page, credential: string, name = 'Phone'): Promise<Page> =>
  flow.submit(page, 'credential', { credential, name });
const NEW = `${PASSKEYS}/new`;
const count = async (): Promise<number> => (await auth.sql('SELECT 1 FROM passkeys')).length;
/** Inserts this many passkeys of the student, without their keys. */
const insert = (howMany: number) =>
  auth.sql(
    `INSERT INTO passkeys (site_id, person_id, name, credential_id, public_key, sign_count, backup_eligible, backed_up,
                           transports)
     SELECT $1, person_id, 'Key ' || n, decode(lpad(n::text, 32, '0'), 'hex'), '', 0, false, false, '{}'
       FROM people, generate_series(1, $2) n WHERE email = 'student@school.example'`,
    [auth.site.site_id, howMany],
  );
const field = (page: Page, name: string): string =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(page.body)?.[1] ?? '';

describe('Adding a passkey', () => {
  it('requires the current password, and counts wrong ones as failed sign-ins', async () => {
    const flow = await signedIn(auth, 'student');
    for (let time = 0; time < 5; time += 1) {
      const wrong = await creationPage(flow, 'not-the-password');
      expect([wrong.status, wrong.body]).toEqual([422, expect.stringContaining('password is wrong')]);
      expect(wrong.body).not.toContain('data-passkey');
    }
    expect((await creationPage(flow)).status).toBe(429);
    await auth.sql('DELETE FROM sign_in_attempts');
    expect((await creationPage(flow)).status).toBe(200);
  });

  it('requests a discoverable passkey with an opaque user handle, and excludes known ones', async () => {
    const { flow, authenticator: first } = await withPasskey(auth, 'student');
    const page = await creationPage(flow);
    const options = optionsOf(page);
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: auth.site.name },
      user: { name: 'student@school.example', displayName: 'The student' },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [{ id: first.id, type: 'public-key', transports: ['internal'] }],
    });
    const [person] = await auth.sql<{ person_id: string }>(`SELECT person_id FROM people WHERE email LIKE 'student@%'`);
    const handle = Buffer.from(options.user?.id ?? '', 'base64url');
    expect(handle).toHaveLength(32);
    expect(handle.toString('hex')).not.toContain(person?.person_id.replaceAll('-', ''));
  });

  it.each<[string, Tampering]>([
    ['of another origin', { clientData: { origin: 'https://evil.example' } }],
    ['of another RP ID', { rpId: 'evil.example' }],
    ['in a frame of another site', { clientData: { crossOrigin: true } }],
    ['of another ceremony', { clientData: { type: 'webauthn.get' } }],
    ['without user verification', { flags: { unset: FLAGS.verified } }],
    ['without user presence', { flags: { unset: FLAGS.present } }],
    ['that is on several devices and may not be', { flags: { set: FLAGS.backedUp } }],
    ['with an attestation certificate that was not requested', { attestation: 'certificate' }],
    ['under another id', { id: 'AAAA' }],
  ])('refuses a passkey %s', async (_case, tampering) => {
    const flow = await signedIn(auth, 'student');
    const page = await creationPage(flow);
    const refused = await add(flow, page, authenticator().create(optionsOf(page), tampering));
    expect([refused.status, refused.body]).toEqual([
      422,
      expect.stringContaining('did not create a passkey for this site'),
    ]);
    expect(await count()).toBe(0);
  });

  it('refuses a passkey with another algorithm or a too long id', async () => {
    const flow = await signedIn(auth, 'student');
    const statusOf = async (made: Authenticator): Promise<number> => {
      const page = await creationPage(flow);
      return (await add(flow, page, made.create(optionsOf(page)))).status;
    };
    expect(await statusOf(authenticator({ kind: 'ES384' }))).toBe(422);
    expect(await statusOf(authenticator({ idBytes: PASSKEY_LIMITS.credentialIdBytes + 1 }))).toBe(422);
    expect(await statusOf(authenticator({ idBytes: PASSKEY_LIMITS.credentialIdBytes }))).toBe(200);
    expect(await count()).toBe(1);
  });

  it.each(['', 'x', 'null', '{}', '{"id":"AAAA","rawId":"AAAA","type":"public-key","response":{}}'])(
    'refuses a response that no browser sends: %p',
    async (credential) => {
      const flow = await signedIn(auth, 'student');
      expect((await add(flow, await creationPage(flow), credential)).status).toBe(422);
      expect(await count()).toBe(0);
    },
  );

  it('accepts one response per challenge, in the same session and ceremony', async () => {
    const [flow, other] = [await signedIn(auth, 'student'), await signedIn(auth, 'student')];
    const page = await creationPage(flow);
    const elsewhere = await other.browser.open(PASSKEYS);
    const credential = authenticator().create(optionsOf(page));
    const theirs = { csrf: field(elsewhere, 'csrf'), credential, name: 'Phone' };
    expect((await other.browser.open(`${PASSKEYS}/add`, new URLSearchParams(theirs))).status).toBe(403);
    const signIn = await signInPage(auth);
    const wrongCeremony = authenticator().create({ ...optionsOf(page), challenge: signIn.options.challenge });
    expect((await add(flow, page, wrongCeremony)).status).toBe(403);
    expect((await add(flow, page, credential)).status).toBe(200);
    const again = await add(flow, page, authenticator().create(optionsOf(page)));
    expect([again.status, again.body]).toEqual([403, expect.stringContaining('was already used')]);
    expect(await count()).toBe(1);
  });

  it('adds one passkey for a form that is sent twice, and both responses say so', async () => {
    const flow = await signedIn(auth, 'student');
    const page = await creationPage(flow);
    const credential = authenticator().create(optionsOf(page));
    const both = await Promise.all([add(flow, page, credential), add(flow, page, credential)]);
    expect(both.map(({ status, url }) => [status, url.pathname])).toEqual([
      [200, PASSKEYS],
      [200, PASSKEYS],
    ]);
    expect((await add(flow, page, credential)).status).toBe(200);
    expect(await count()).toBe(1);
    expect(await auth.sql(`SELECT 1 FROM mails WHERE kind = 'passkey_added'`)).toHaveLength(1);
  });

  it('shows the page behind the password at an address of its own, to this session only, until it is used', async () => {
    const [flow, other] = [await signedIn(auth, 'student'), await signedIn(auth, 'student')];
    const at = async ({ browser }: Flow): Promise<string> => (await browser.open(NEW)).url.pathname;
    expect(await at(flow)).toBe(PASSKEYS);
    const page = await creationPage(flow);
    expect([page.url.pathname, await at(flow), await at(other)]).toEqual([NEW, NEW, PASSKEYS]);
    const again = await flow.browser.open(NEW);
    expect((await add(flow, again, authenticator().create(optionsOf(again)))).status).toBe(200);
    expect(await at(flow)).toBe(PASSKEYS);
  });

  it('stores a passkey once per site, also for another person', async () => {
    const { authenticator: made } = await withPasskey(auth, 'student');
    const { page } = await withPasskey(auth, 'owner', { authenticator: made });
    expect([page.status, page.body]).toEqual([409, expect.stringContaining('is already added')]);
    expect(await count()).toBe(1);
  });

  it('refuses a passkey when the session ends before its response', async () => {
    const flow = await signedIn(auth, 'admin');
    const page = await creationPage(flow);
    const hold = await Hold.of(
      auth,
      `WITH ended AS (DELETE FROM sessions WHERE person_id IN (SELECT person_id FROM people WHERE email = $1))
       UPDATE people SET sign_outs = sign_outs + 1 WHERE email = $1`,
      ['admin@school.example'],
    );
    const adding = add(flow, page, authenticator().create(optionsOf(page)));
    await hold.waiting(1);
    await hold.release();
    await adding;
    expect(await count()).toBe(0);
  });

  it('refuses a passkey of a person who is deleted before its response', async () => {
    const flow = await signedIn(auth, 'both');
    const page = await creationPage(flow);
    await auth.sql(`UPDATE people SET state = 'suspended' WHERE email = 'both@school.example'`);
    expect((await add(flow, page, authenticator().create(optionsOf(page)))).status).toBe(403);
    expect(await count()).toBe(0);
  });
});

describe('The passkeys of a person at a site', () => {
  it('limits the number of passkeys per person, also for concurrent requests', async () => {
    await insert(PASSKEY_LIMITS.perPerson - 1);
    const flows = [await signedIn(auth, 'student'), await signedIn(auth, 'student')] as const;
    const [one, other] = [await creationPage(flows[0]), await creationPage(flows[1])];
    const added = await Promise.all([
      add(flows[0], one, authenticator().create(optionsOf(one))),
      add(flows[1], other, authenticator().create(optionsOf(other))),
    ]);
    expect(added.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409']);
    expect(await count()).toBe(PASSKEY_LIMITS.perPerson);
    const { body } = await flows[0].browser.open(PASSKEYS);
    expect(body).toContain('which is the maximum');
    expect(body).not.toContain('name="current"');
    expect((await withPasskey(auth, 'owner')).page.status).toBe(200);
  });

  it('limits the length of a passkey name', async () => {
    const { flow, page } = await withPasskey(auth, 'student');
    const rename = (name: string): Promise<Page> => flow.submit(page, 'name', { name });
    const longest = 'x'.repeat(PASSKEY_LIMITS.nameLength);
    expect((await rename(longest)).body).toContain(`<h2>${longest}</h2>`);
    for (const name of [`${longest}x`, '', ' \n ']) {
      const refused = await rename(name);
      expect([refused.status, refused.body]).toEqual([422, expect.stringContaining('1 to 60 visible characters')]);
    }
    expect((await rename(' <b>My</b>\t key ')).body).toContain('<h2>&lt;b&gt;My&lt;/b&gt; key</h2>');
    const creation = await creationPage(flow);
    const nameless = await add(flow, creation, authenticator().create(optionsOf(creation)), '');
    expect(nameless.status).toBe(422);
  });

  it('refuses to rename or remove a passkey of another person or from another origin', async () => {
    const { page } = await withPasskey(auth, 'student');
    const passkey = field(page, 'passkey');
    const other = await signedIn(auth, 'owner');
    const csrf = field(await other.browser.open(PASSKEYS), 'csrf');
    for (const one of [passkey, 'nonsense', '']) {
      for (const path of ['rename', 'remove']) {
        const form = new URLSearchParams({ csrf, passkey: one, name: 'Mine' });
        expect((await other.browser.open(`${PASSKEYS}/${path}`, form)).status).toBe(200);
      }
    }
    for (const path of ['', '/add', '/rename', '/remove']) {
      const forged = new URLSearchParams({ csrf: 'AAAA', passkey, name: 'Mine', current: 'x', credential: '{}' });
      expect((await other.browser.open(`${PASSKEYS}${path}`, forged)).status).toBe(403);
    }
    expect(await auth.sql('SELECT name FROM passkeys')).toEqual([{ name: 'Phone' }]);
  });

  it('requires a session to show passkeys', async () => {
    const { flow } = await signInPage(auth);
    expect((await flow.browser.open(PASSKEYS)).url.pathname).toBe('/account/sign-in');
  });
});
