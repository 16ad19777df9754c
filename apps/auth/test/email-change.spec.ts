import { uuidv7 } from '@lyceum/platform';
import type { Page } from '@lyceum/testing';
import { LIMITS } from '#src/limits/limits.js';
import { MAX_EMAIL_LENGTH } from '#src/people/email.policy.js';
import { PASSWORD } from './auth.js';
import type { TestAuth } from './auth.js';
import { CHANGE, EmailChanges } from './email-changes.js';
import { Flow } from './flow.js';
import { signedIn } from './passkey-flow.js';
import { applyStudent, studentEvent } from './student-events.js';

const changes = new EmailChanges();
const { mails } = changes;
let auth: TestAuth;

beforeAll(async () => {
  await changes.start();
  ({ auth } = changes);
});
beforeEach(() => changes.reset());
afterAll(() => auth.stop());

describe('Changing the email address', () => {
  it.each([
    ['approval', 'confirmation'],
    ['confirmation', 'approval'],
  ])('takes effect after %s and %s', async (first) => {
    const { flow, email, next } = await changes.mover();
    const { access_token } = await flow.tokens({}, email.split('@')[0]);
    const asked = await changes.request(flow, next);
    expect([asked.status, asked.url.pathname]).toEqual([200, CHANGE]);
    expect(asked.body).toContain('Check your email at both addresses');
    const order = first === 'approval' ? [email, next] : [next, email];
    const one = await changes.decide(order[0] ?? '');
    expect(one.body).toContain(first === 'approval' ? 'You approved the change' : 'You confirmed the address');
    expect([await changes.signInStatus(email), await changes.signInStatus(next)]).toEqual([200, 422]);
    const two = await changes.decide(order[1] ?? '');
    expect([two.status, two.body.includes('Your email address is changed')]).toEqual([200, true]);
    expect([await changes.signInStatus(email), await changes.signInStatus(next)]).toEqual([422, 200]);
    // Sessions, tokens and the password stay.
    expect((await flow.browser.open('/account')).body).toContain(next);
    expect(await flow.isActive(access_token)).toBe(true);
    expect((await flow.userInfo(access_token)).body).toMatchObject({ email: next, email_verified: true });
  });

  it('publishes the address to every site of the person, and records it at each', async () => {
    const { flow, email, next } = await changes.mover();
    await changes.request(flow, next);
    await changes.decide(email);
    await changes.decide(next);
    expect(await changes.events('person', next)).toEqual(['identity.person.updated.v1']);
    expect(await changes.events('role', next)).toEqual(['identity.role.changed.v1', 'identity.role.changed.v1']);
    expect([
      await changes.audited('email.change_requested', next),
      await changes.audited('email.changed', next),
    ]).toEqual([1, 2]);
  });

  it('reports the change to both addresses', async () => {
    const { flow, email, next } = await changes.mover();
    await changes.request(flow, next);
    await changes.decide(email);
    await changes.decide(next);
    await auth.mailsSent();
    for (const address of [email, next]) {
      const mail = mails.to(address).find((text) => text.includes('was changed'));
      expect(mail?.replaceAll(/=\r\n/g, '')).toContain(next);
    }
  });

  it('greets a person by name only at the address that is known to be theirs', async () => {
    const { flow, email, next } = await changes.mover();
    await changes.request(flow, next);
    await auth.mailsSent();
    const [known, unknown] = [mails.to(email), mails.to(next)].map((found) => found.at(-1));
    expect(known).toMatch(/\r\nHello mover-\d+,\r\n/);
    expect(unknown).toMatch(/\r\nHello,\r\n/);
  });

  it('ends the links for a new password that were sent to the former address', async () => {
    const { flow, email, next } = await changes.mover();
    const reset = await mails.newLink(email, async () => {
      const page = await new Flow(auth).browser.open('/account/password');
      await new Flow(auth).submit(page, 'email', { email });
    });
    await changes.request(flow, next);
    await changes.decide(email);
    await changes.decide(next);
    expect((await new Flow(auth).browser.open(reset)).status).toBe(404);
  });

  it('requires the current password, and mails nothing without it', async () => {
    const { flow, email, next } = await changes.mover();
    const refused = await changes.request(flow, next, 'not-the-password');
    expect([refused.status, refused.body]).toEqual([422, expect.stringContaining('The current password is wrong.')]);
    expect(refused.body).toContain(`value="${next}"`);
    expect(await auth.sql(`select 1 from mails where address = $1`, [next])).toEqual([]);
    expect(await changes.audited('email.change_requested', email)).toBe(0);
  });

  it.each(['', 'no-address', 'two@@example.com', `${'x'.repeat(MAX_EMAIL_LENGTH)}@example.com`, 'a b@example.com'])(
    'refuses the address %j beside its field',
    async (address) => {
      const flow = await signedIn(auth, 'student');
      const { status, body } = await changes.request(flow, address);
      expect([status, body]).toEqual([422, expect.stringContaining('id="email-error"')]);
    },
  );

  it('refuses the present address, in any spelling', async () => {
    const { status, body } = await changes.request(await signedIn(auth, 'student'), ' Student@School.example ');
    expect([status, body]).toEqual([422, expect.stringContaining('This is your email address already.')]);
  });

  it('shows the address as text', async () => {
    const { body } = await changes.request(await signedIn(auth, 'student'), '"><script>alert(1)</script>@example.com');
    expect(body).not.toContain('<script>alert');
  });

  it('refuses a form and a decision from elsewhere', async () => {
    const { flow, email, next } = await changes.mover();
    const cookie = flow.browser.cookiesFor(CHANGE);
    for (const path of [CHANGE, `${CHANGE}/cancel`]) {
      const { status } = await flow.post(path, { csrf: 'x', email: next, current: PASSWORD }, { cookie });
      expect(status).toBe(403);
    }
    await changes.request(flow, next);
    const victim = new Flow(auth);
    const page = await victim.browser.open(await changes.linkTo(email));
    expect((await victim.submit(page, 'decision', { decision: 'agree', csrf: 'AAAA' })).status).toBe(403);
    expect((await victim.submit(page, 'decision', { decision: 'other' })).status).toBe(403);
    expect((await victim.browser.open(page.url)).body).toContain('Approve your new email address?');
  });
});

describe('An address that has an account', () => {
  it('looks like any other to the person, and only its owner reads that it is taken', async () => {
    const { flow, email, next } = await changes.mover();
    const unknown = await changes.request(flow, next);
    const known = await changes.request(flow, 'owner@school.example');
    const shown = ({ body }: Page, address: string) =>
      body.replaceAll(address, '').replaceAll(/value="[^"]*"|datetime="[^"]*"|title="[^"]*"/g, '');
    expect(shown(known, 'owner@school.example')).toBe(shown(unknown, next));
    expect((await changes.decide(email)).body).toContain('You approved the change');
    const page = await new Flow(auth).browser.open(await changes.linkTo('owner@school.example'));
    expect([page.status, page.body]).toEqual([409, expect.stringContaining('This address has an account already')]);
    const { body } = await flow.browser.open(CHANGE);
    expect(body).toMatch(/Approved<[\s\S]*Waiting</);
    expect([await changes.signInStatus(email), await changes.signInStatus('owner@school.example')]).toEqual([200, 200]);
  });

  it('changes nothing when another person gets the address after its confirmation', async () => {
    const { flow, email, next } = await changes.mover();
    await changes.request(flow, next);
    await changes.decide(next);
    await auth.sql(`insert into people (email, name) values ($1, 'Another')`, [next]);
    const { status, body } = await changes.decide(email);
    expect([status, body]).toEqual([409, expect.stringContaining('This address has an account already')]);
    expect(await changes.signInStatus(email)).toBe(200);
  });
});

describe('An email change that is requested twice', () => {
  it('mails one link to each address within seconds, and new ones later or for another address', async () => {
    const { flow, email, next } = await changes.mover();
    const mailed = async (address: string): Promise<number> => {
      await auth.mailsSent();
      return mails.to(address).length;
    };
    await changes.request(flow, next);
    await changes.request(flow, next);
    expect([await mailed(email), await mailed(next)]).toEqual([1, 1]);
    expect(await changes.audited('email.change_requested', email)).toBe(1);
    await auth.sql(
      `update email_changes set expires_at = expires_at - interval '6 seconds'
        where person_id = (select person_id from people where email = $1)`,
      [email],
    );
    await changes.request(flow, next);
    expect(await mailed(next)).toBe(2);
    await changes.request(flow, `other-${next}`);
    expect([await mailed(`other-${next}`), await mailed(email)]).toEqual([1, 3]);
  });
});

describe('The limits of email changes', () => {
  it.each(['email_changes', 'email_changes_to_address'] as const)('refuses requests beyond %s', async (limit) => {
    const { flow, name, email } = await changes.mover();
    const address = (count: number): string =>
      limit === 'email_changes' ? `${name}-${count}@school.example` : 'victim@school.example';
    for (let count = 0; count < LIMITS[limit].hits; count += 1) {
      const asking = limit === 'email_changes' ? flow : (await changes.mover()).flow;
      expect((await changes.request(asking, address(count))).status).toBe(200);
    }
    const refused = await changes.request(flow, address(LIMITS[limit].hits));
    expect([refused.status, refused.body]).toEqual([429, expect.stringContaining('Too many changes')]);
    expect(await changes.audited('email.change_requested', email)).toBe(
      limit === 'email_changes' ? LIMITS[limit].hits : 0,
    );
  });
});

describe('A student of the school', () => {
  it('stays the same person when an event has the former address', async () => {
    const { flow, email, next } = await changes.mover();
    const [{ person_id } = { person_id: '' }] = await auth.sql<{ person_id: string }>(
      'select person_id from people where email = $1',
      [email],
    );
    const student_id = uuidv7();
    const applied = (version: number) =>
      applyStudent(auth, studentEvent(auth, version, { student_id, person_id, email }));
    await applied(1);
    await changes.request(flow, next);
    await changes.decide(email);
    await changes.decide(next);
    await applied(2);
    expect(await auth.sql('select email from people where email = any($1)', [[email, next]])).toEqual([
      { email: next },
    ]);
  });
});
