import { Authenticator } from '@lyceum/testing';
import type { Page } from '@lyceum/testing';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import { Mails } from './mails.js';
import { sendCredential, signInPage, creationPage, optionsOf, signedIn, withPasskey } from './passkey-flow.js';

const ANOTHER = 'another-long-password';

const mails = new Mails();
let auth: TestAuth;

beforeAll(async () => {
  auth = await startAuth({ environment: { MAIL_DIRECTORY: mails.directory } });
});
beforeEach(() => auth.sql('DELETE FROM sign_in_attempts'));
afterAll(() => auth.stop());

const addressOf = (name: string): string => `${name}@school.example`;
async function mailsTo(name: string): Promise<string[]> {
  await auth.mailsSent();
  return mails.to(addressOf(name));
}
const mailsAbout = async (name: string, text: string): Promise<string[]> =>
  (await mailsTo(name)).filter((mail) => mail.includes(text));
/** The page of the link in a new mail. */
async function resetPage(name: string, flow = new Flow(auth)): Promise<Page> {
  const page = await flow.browser.open('/account/password');
  const request = () => flow.submit(page, 'email', { email: addressOf(name) });
  return flow.browser.open(await mails.newLink(addressOf(name), request));
}
async function statusOfPasskey(authenticator: Authenticator): Promise<number> {
  const { flow, page, options } = await signInPage(auth);
  return (await sendCredential(flow, page, authenticator.get(options))).status;
}
const idIn = (page: Page, name: string): string =>
  new RegExp(`name="keep"\\s+value="([^"]+)"[^<]*Keep ${name}`).exec(page.body)?.[1] ?? `no ${name}`;

describe('A password reset by mail', () => {
  it('removes the passkey that a thief has added', async () => {
    const { flow: thief, authenticator } = await withPasskey(auth, 'student');
    expect(await statusOfPasskey(authenticator)).toBe(200);
    const flow = new Flow(auth);
    const page = await resetPage('student', flow);
    expect((await flow.submit(page, 'password', { password: ANOTHER })).body).toContain('Your password is set');
    expect((await thief.browser.open('/account')).url.pathname).toBe('/account/sign-in');
    expect(await statusOfPasskey(authenticator)).toBe(422);
  });

  it('keeps only the selected passkeys, none by default, and lists those of all sites', async () => {
    const { flow: person, authenticator: mine } = await withPasskey(auth, 'lecturer');
    const creation = await creationPage(person);
    const second = new Authenticator(auth.site.base_url);
    await person.submit(creation, 'credential', { credential: second.create(optionsOf(creation)), name: 'Tablet' });
    await auth.sql(
      `INSERT INTO passkeys (site_id, person_id, name, credential_id, public_key, sign_count, backup_eligible, backed_up, transports)
       SELECT $1, person_id, 'Elsewhere', 'x', '', 0, false, false, '{}' FROM people WHERE email = $2`,
      [auth.other.site_id, addressOf('lecturer')],
    );
    const flow = new Flow(auth);
    const page = await resetPage('lecturer', flow);
    expect(page.body).toContain('Keep Elsewhere (at Second School)');
    expect(page.body).not.toContain('checked');
    const again = await flow.submit(page, 'password', { password: 'short', keep: idIn(page, 'Phone') });
    expect([again.status, (again.body.match(/checked/g) ?? []).length]).toEqual([422, 1]);
    const done = await flow.submit(again, 'password', { password: ANOTHER, keep: idIn(again, 'Phone') });
    expect(done.body).toContain('Your password is set');
    const left = await auth.sql('SELECT k.name FROM passkeys k JOIN people USING (person_id) WHERE email = $1', [
      addressOf('lecturer'),
    ]);
    expect(left).toEqual([{ name: 'Phone' }]);
    expect([await statusOfPasskey(mine), await statusOfPasskey(second)]).toEqual([200, 422]);
    const ends = await auth.sql<{ reason: string; site_id: string }>(
      `SELECT details ->> 'reason' AS reason, site_id FROM audit_log JOIN people USING (person_id)
        WHERE event = 'passkey.removed' AND email = $1 ORDER BY audit_id`,
      [addressOf('lecturer')],
    );
    const reason = 'password_reset';
    expect(ends).toEqual([
      { reason, site_id: auth.site.site_id },
      { reason, site_id: auth.other.site_id },
    ]);
    expect((await mailsTo('lecturer')).at(-1)).toMatch(/These passkeys were removed:\r\n\r\n- Tablet\r\n- Elsewhere/);
  });

  it('ignores selected passkeys of another person and unknown ones', async () => {
    const { authenticator } = await withPasskey(auth, 'admin');
    const other = await withPasskey(auth, 'owner');
    const [row] = await auth.sql<{ passkey_id: string }>(
      'SELECT passkey_id FROM passkeys JOIN people USING (person_id) WHERE email = $1',
      [addressOf('owner')],
    );
    const flow = new Flow(auth);
    const page = await resetPage('admin', flow);
    await flow.submit(page, 'password', { password: ANOTHER, keep: row?.passkey_id ?? '' });
    expect([await statusOfPasskey(authenticator), await statusOfPasskey(other.authenticator)]).toEqual([422, 200]);
  });

  it('lists no passkeys in an invitation', async () => {
    const flow = new Flow(auth);
    await withPasskey(auth, 'both');
    const page = await resetPage('both', flow);
    expect(page.body).toContain('Your passkeys');
    await auth.sql('DELETE FROM passkeys USING people p WHERE p.person_id = passkeys.person_id AND email = $1', [
      addressOf('both'),
    ]);
    expect((await flow.browser.open(page.url)).body).not.toContain('Your passkeys');
  });
});

describe('Security mails', () => {
  const LINK = '/account/password\r\n';

  it('sends a mail when a passkey is added, and when it is removed', async () => {
    const { flow } = await withPasskey(auth, 'owner', { authenticator: new Authenticator(auth.site.base_url) });
    const [added] = await mailsAbout('owner', 'A passkey was added');
    expect(added).toContain('Subject: A passkey was added to your account at First School\r\n');
    expect(added).toContain('The passkey "Phone" was added');
    expect(added).toContain(auth.site.base_url + LINK);
    const before = (await mailsAbout('owner', 'A passkey was removed')).length;
    const page = await flow.browser.open('/account/passkeys');
    const form = /action="\/account\/passkeys\/remove"[^]*?name="passkey" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? '';
    const remove = () => flow.browser.open('/account/passkeys/remove', new URLSearchParams({ csrf, passkey: form }));
    await remove();
    // A second removal changes nothing, and sends nothing.
    await remove();
    expect(await mailsAbout('owner', 'A passkey was removed')).toHaveLength(before + 1);
  });

  it('sends a mail when the password is changed at the account, and when it is reset', async () => {
    const flow = await signedIn(auth, 'stranger', auth.other);
    const change = { current: PASSWORD, password: ANOTHER };
    await flow.submit(await flow.browser.open('/account/change-password'), 'current', { ...change, current: 'wrong' });
    expect(await mailsTo('stranger')).toEqual([]);
    await flow.submit(await flow.browser.open('/account/change-password'), 'current', change);
    const [mail, ...more] = await mailsTo('stranger');
    expect(more).toEqual([]);
    expect(mail).toContain('Subject: Your password at Second School was changed\r\n');
    expect(mail).toContain('Hello The stranger,');
    expect(mail).toContain(auth.other.base_url + LINK);
    expect(await mailsAbout('student', 'Your password at First School was changed')).toHaveLength(1);
  });
});
