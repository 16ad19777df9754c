import { LIFETIMES } from '#src/protocol/lifetimes.js';
import { PASSWORD } from './auth.js';
import type { TestAuth } from './auth.js';
import { CHANGE, EmailChanges } from './email-changes.js';
import type { Mover } from './email-changes.js';
import { Flow } from './flow.js';

const changes = new EmailChanges();
let auth: TestAuth;

beforeAll(async () => {
  await changes.start();
  ({ auth } = changes);
});
beforeEach(() => changes.reset());
afterAll(() => auth.stop());

describe('A link of an email change', () => {
  it('changes nothing when it is opened, and moves its token out of the URL', async () => {
    const { flow, email, next } = await changes.mover();
    await changes.request(flow, next);
    const browser = new Flow(auth);
    for (const address of [email, next]) {
      const page = await browser.browser.open(await changes.linkTo(address));
      expect([page.status, page.url.search]).toEqual([200, expect.stringMatching(/^\?link=[\da-f]{16}$/)]);
    }
    expect(
      await auth.sql('select 1 from email_changes where approved_at is not null and new_email = $1', [next]),
    ).toEqual([]);
  });

  it('shows the result again after a repeated decision', async () => {
    const { flow, email, next } = await changes.mover();
    await changes.request(flow, next);
    await changes.decide(next);
    const browser = new Flow(auth);
    const page = await browser.browser.open(await changes.linkTo(email));
    const both = await Promise.all([1, 2].map(() => browser.submit(page, 'decision', { decision: 'agree' })));
    for (const { status, body } of both) {
      expect([status, body]).toEqual([200, expect.stringContaining('Your email address is changed')]);
    }
    expect(await changes.events('person', next)).toHaveLength(1);
  });

  it('lets the present address refuse, which ends both links', async () => {
    const { flow, email, next } = await changes.mover();
    await changes.request(flow, next);
    const { body } = await changes.decide(email, 'refuse');
    expect(body).toContain('The address stays as it is');
    const confirmation = await new Flow(auth).browser.open(await changes.linkTo(next));
    expect(confirmation.body).toContain('The address stays as it is');
    expect([await changes.audited('email.change_refused', email), await changes.signInStatus(email)]).toEqual([1, 200]);
  });

  it('ignores a refusal of the new address', async () => {
    const { flow, next } = await changes.mover();
    await changes.request(flow, next);
    expect((await changes.decide(next, 'refuse')).body).toContain('Confirm your new email address?');
    expect((await flow.browser.open(CHANGE)).body).toContain('Cancel the change');
  });

  it.each<[string, (given: Mover) => Promise<unknown>]>([
    ['the person cancels', async ({ flow }) => flow.submit(await flow.browser.open(CHANGE), 'csrf', {})],
    [
      'a day has passed',
      ({ next }) =>
        auth.sql(`update email_changes set expires_at = now() - interval '1 second' where new_email = $1`, [next]),
    ],
    [
      'the password changes',
      async ({ flow }) => {
        const page = await flow.browser.open('/account/change-password');
        return flow.submit(page, 'password', { current: PASSWORD, password: 'another-long-password' });
      },
    ],
    ['the person signs out everywhere', ({ flow }) => flow.signOut('everywhere')],
    ['another address is requested', ({ flow, name }) => changes.request(flow, `${name}-third@school.example`)],
    [
      'the person is suspended at the site',
      ({ email }) =>
        auth.sql(
          `update site_members set state = 'suspended' where person_id = (select person_id from people where email = $1)`,
          [email],
        ),
    ],
  ])('ends when %s', async (_what, act) => {
    const given = await changes.mover();
    await changes.request(given.flow, given.next);
    const links = [await changes.linkTo(given.email), await changes.linkTo(given.next)];
    await act(given);
    for (const link of links) {
      const { body } = await new Flow(auth).browser.open(link);
      expect(body).toMatch(/This link is no longer valid|The address stays as it is/);
      expect(body).not.toContain('name="decision"');
    }
  });

  it('belongs to the site of the request', async () => {
    const { flow, email, next } = await changes.mover();
    await changes.request(flow, next);
    expect((await new Flow(auth, auth.other).browser.open(await changes.linkTo(email))).status).toBe(404);
  });

  it('works for a day', async () => {
    const { flow, next } = await changes.mover();
    await changes.request(flow, next);
    const [row] = await auth.sql<{ left: number }>(
      `select extract(epoch from expires_at - now())::float8 as left from email_changes where new_email = $1`,
      [next],
    );
    expect(Math.abs((row?.left ?? 0) - LIFETIMES.emailChange)).toBeLessThan(60);
  });
});
