import { randomUUID } from 'node:crypto';
import { uuidv7 } from '@lyceum/platform';
import { LIMITS } from '#src/limits/limits.js';
import { MemberChangesService } from '#src/member-changes/member-changes.service.js';
import type { OfMember } from '#src/member-changes/member-changes.service.js';
import { MemberRequestsRepository } from '#src/member-changes/member-requests.repository.js';
import type { SiteRecord } from '#src/sites/site.js';
import { SitesService } from '#src/sites/sites.service.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Mails } from './mails.js';
import { applyStudent, studentEvent } from './student-events.js';

const TIMES = 5;
const mails = new Mails();
let auth: TestAuth;
let site: SiteRecord;
let email: string;

beforeAll(async () => {
  auth = await startAuth({ environment: { MAIL_DIRECTORY: mails.directory } });
  const found = await auth.app.get(SitesService).byId(auth.site.site_id);
  if (found === undefined) throw new Error('The stage has it');
  site = found;
});
beforeEach(() => {
  email = `${randomUUID()}@victim.example`;
});
afterAll(() => auth.stop());

const changes = (): MemberChangesService => auth.app.get(MemberChangesService, { strict: false });
const requested = () => {
  const owner = auth.site.people.find((one) => one.email.startsWith('owner'));
  return { request_id: randomUUID(), dry_run: false, actor: { member_id: owner?.member_id ?? '' } };
};
const member = async (): Promise<OfMember> => {
  const text = `select m.member_id from site_members m join people p using (person_id)
                 where p.email = $1 and m.site_id = $2`;
  const [row] = await auth.sql<{ member_id: string }>(text, [email, site.site_id]);
  return { ...requested(), member_id: row?.member_id ?? '' };
};
const remove = async () => changes().remove(site.site_id, await member());
const invite = (address = email, request = requested()) =>
  changes().invite(site, { ...request, email: address, roles: ['student'], profile: {} });
const sent = async (): Promise<number> => {
  await auth.mailsSent();
  return mails.to(email).length;
};

/** Applies the event of another student with the address. */
const addStudent = (next?: () => Promise<void>): Promise<void> =>
  applyStudent(auth, studentEvent(auth, 1, { student_id: uuidv7(), email, send_welcome_email: true }), next);

describe('An address that is removed and added again', () => {
  it.each([
    ['invitations', () => invite()],
    ['invitations in another case', () => invite(email.toUpperCase())],
    ['students', () => addStudent()],
  ])('gets at most three welcome mails an hour by %s', async (_by, add) => {
    for (let time = 0; time < TIMES; time += 1) {
      await add();
      expect(await sent()).toBe(Math.min(time + 1, LIMITS.welcomes.hits));
      await remove();
    }
    expect((await invite()).membership).toMatchObject({ email, state: 'invited' });
    expect([await sent(), LIMITS.welcomes.hits]).toEqual([3, 3]);
  });

  it('gets an invitation again at most three times an hour', async () => {
    for (let time = 0; time < LIMITS.invitations.hits; time += 1) {
      await invite();
      await changes().resend(site, await member());
      await sent();
      await remove();
    }
    await invite();
    const before = await sent();
    await expect(changes().resend(site, await member())).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await sent()).toBe(before);
  });
});

it('counts no dry run, repetition or refusal of an invitation', async () => {
  for (let time = 1; time <= LIMITS.welcomes.hits; time += 1) {
    const request = requested();
    await invite(email, { ...requested(), dry_run: true });
    await invite(email, request);
    await invite(email, request);
    await expect(invite()).rejects.toMatchObject({ code: 'already_exists' });
    expect(await sent()).toBe(time);
    await remove();
  }
});

it('counts no repetition of an invitation that is sent again', async () => {
  await invite();
  expect(await sent()).toBe(1);
  const requests = await Promise.all(Array.from({ length: LIMITS.invitations.hits }, member));
  for (const request of requests) {
    await changes().resend(site, request);
    await changes().resend(site, request);
    await sent();
  }
  expect(await changes().resend(site, requests[0] ?? (await member()))).toMatchObject({ changed: false });
  expect(await sent()).toBe(1 + LIMITS.invitations.hits);
});

describe('A transaction that is rolled back', () => {
  const FAULT = new Error('a fault');
  /** More often than the limit allows mails. */
  const fail = async (work: () => Promise<unknown>): Promise<void> => {
    for (let time = 0; time < TIMES; time += 1) await expect(work()).rejects.toBe(FAULT);
    expect(await sent()).toBe(0);
  };
  const failChange = async (work: () => Promise<unknown>): Promise<void> => {
    const finish = jest
      .spyOn(auth.app.get(MemberRequestsRepository, { strict: false }), 'finish')
      .mockRejectedValue(FAULT);
    await fail(work).finally(() => finish.mockRestore());
  };

  it('does not count the mail of a new student', async () => {
    await fail(() => addStudent(() => Promise.reject(FAULT)));
    await addStudent();
    expect(await sent()).toBe(1);
  });

  it('does not count the mail of an invitation', async () => {
    await failChange(() => invite());
    await invite();
    expect(await sent()).toBe(1);
  });

  it('does not count an invitation that is sent again', async () => {
    await applyStudent(auth, studentEvent(auth, 1, { student_id: uuidv7(), email }));
    await failChange(async () => changes().resend(site, await member()));
    await changes().resend(site, await member());
    expect(await sent()).toBe(1);
  });
});
