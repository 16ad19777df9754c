import { randomUUID } from 'node:crypto';
import { resendStudentInvitation } from '@lyceum/contracts';
import { Nats, Requests } from '@lyceum/messaging';
import { uuidv7 } from '@lyceum/platform';
import { testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { Administration } from '#src/commands/administration.js';
import { LIMITS } from '#src/limits/limits.js';
import { SitesService } from '#src/sites/sites.service.js';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import { Mails } from './mails.js';
import { applyStudent, studentEvent } from './student-events.js';

const mails = new Mails();
let nats: TestNats;
let auth: TestAuth;

beforeAll(async () => {
  nats = await testNats();
  // A request that takes a second connection within its transaction waits for itself.
  const environment = { MAIL_DIRECTORY: mails.directory, DATABASE_POOL_SIZE: '1' };
  auth = await startAuth({ nats: nats.environment('auth'), environment });
  await auth.app.get(Nats).ready();
});
afterAll(async () => {
  await auth.stop();
  await nats.stop();
});

interface Student {
  readonly student_id: string;
  readonly email: string;
}

/** Applies the event of a student of the first site. */
async function student(email = `${randomUUID()}@school.example`, send_welcome_email = false): Promise<Student> {
  const student_id = uuidv7();
  await applyStudent(auth, studentEvent(auth, 1, { student_id, email, send_welcome_email }));
  return { student_id, email };
}

const resend = (who: Student, { dry_run = false, site_id = auth.site.site_id } = {}): Promise<object> =>
  auth.app.get(Requests).request(resendStudentInvitation, { ...who, dry_run }, { site_id });

it('mails a new link, which ends the previous one', async () => {
  const who = await student();
  const first = await mails.newLink(who.email, () => resend(who));
  const second = await mails.newLink(who.email, () => resend(who));
  expect((await new Flow(auth).browser.open(first)).status).toBe(404);
  expect((await new Flow(auth).browser.open(second)).body).toContain(who.email);
});

it('welcomes a new student by the connection of the event', async () => {
  const { email } = await student(undefined, true);
  await auth.mailsSent();
  expect(mails.to(email)).toHaveLength(1);
});

it('mails nothing in a dry run', async () => {
  const who = await student();
  expect(await resend(who, { dry_run: true })).toEqual({});
  await auth.mailsSent();
  expect(mails.to(who.email)).toEqual([]);
});

it('mails as often as the limit of a student allows, and says when it allows the next mail', async () => {
  const [who, other] = [await student(), await student()];
  // A mail whose link was replaced before its delivery is dropped.
  for (let count = 0; count < LIMITS.invitations.hits; count += 1) await mails.newLink(who.email, () => resend(who));
  await expect(resend(who)).rejects.toMatchObject({ code: 'rate_limited', retryAfter: expect.any(Number) });
  expect(await resend(other)).toEqual({});
  await auth.mailsSent();
  expect(mails.to(who.email)).toHaveLength(LIMITS.invitations.hits);
});

it('counts the mails to an address, also for a student who is added again', async () => {
  const first = await student();
  const again = await student(first.email);
  await mails.newLink(first.email, () => resend(first));
  for (let count = 1; count < LIMITS.invitations.hits; count += 1)
    await mails.newLink(first.email, () => resend(again));
  await expect(resend(again)).rejects.toMatchObject({ code: 'rate_limited' });
});

it('responds the same for a person with an account at another site, and mails no link', async () => {
  const who = await student('stranger@school.example');
  expect(await resend(who)).toEqual(await resend(await student()));
  expect(await mails.last(who.email)).not.toContain('/account/invitation');
});

it('refuses a student who has signed in, is suspended or was removed', async () => {
  const who = await student('stranger@school.example');
  const site = await auth.app.get(SitesService).byId(auth.site.site_id);
  if (site === undefined) throw new Error('The stage has no site');
  const flow = new Flow(auth);
  await flow.signIn(await flow.browser.open('/account/sign-in'), 'stranger', PASSWORD);
  const refused = { code: 'invalid_state' };
  await expect(resend(who)).rejects.toMatchObject({ ...refused, message: 'The student has signed in already' });
  const administration = auth.app.get(Administration);
  await administration.suspend(who.email, site);
  await expect(resend(who)).rejects.toMatchObject(refused);
  await administration.removeMember(site, who.email);
  await expect(resend(who, { dry_run: true })).rejects.toMatchObject(refused);
});

it('asks to try again while the event of the student or of the address is on its way', async () => {
  const who = await student();
  const early = { code: 'temporarily_unavailable', retryAfter: 1 };
  await expect(resend({ ...who, student_id: uuidv7() })).rejects.toMatchObject(early);
  await expect(resend({ ...who, email: 'other@school.example' })).rejects.toMatchObject(early);
  await expect(resend(who, { site_id: auth.other.site_id })).rejects.toMatchObject(early);
  await auth.mailsSent();
  expect(mails.to(who.email)).toEqual([]);
});
