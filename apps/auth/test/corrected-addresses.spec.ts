import { mkdtempSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventType, studentEvents } from '@lyceum/contracts';
import { Outbox } from '@lyceum/messaging';
import { Administration } from '#src/commands/administration.js';
import { LIMITS } from '#src/limits/limits.js';
import { MembersService } from '#src/members/members.service.js';
import { PeopleService } from '#src/people/people.service.js';
import { SitesService } from '#src/sites/sites.service.js';
import { StudentsService } from '#src/students/students.service.js';
import type { StudentEvent } from '#src/students/students.service.js';
import { startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import { Hold } from './hold.js';
import { applyStudent, studentEvent } from './student-events.js';

describe('Correcting the address of a student', () => {
  const mails = mkdtempSync(join(tmpdir(), 'lyceum-mail-'));
  let auth: TestAuth;

  beforeAll(async () => {
    auth = await startAuth({ environment: { MAIL_DIRECTORY: mails } });
  });
  afterAll(() => auth.stop());

  const student = (version: number, change: Parameters<typeof studentEvent>[2]) => studentEvent(auth, version, change);
  const applied = (event: StudentEvent): Promise<void> => applyStudent(auth, event);
  const rolesOf = async (email: string): Promise<string[] | undefined> =>
    (await sitesOf(email)).find(({ site_id }) => site_id === auth.site.site_id)?.roles;
  const sitesOf = (email: string): Promise<{ site_id: string; roles: string[] }[]> =>
    auth.sql(`SELECT r.site_id, r.roles FROM site_members r JOIN people p USING (person_id) WHERE p.email = $1`, [
      email,
    ]);
  const mailsTo = async (email: string): Promise<string[]> => {
    await auth.mailsSent();
    const texts = await Promise.all((await readdir(mails)).map((file) => readFile(join(mails, file), 'utf8')));
    return texts.filter((text) => text.includes(`To: ${email}`));
  };
  const audited = (student_id: string): Promise<Record<string, unknown>[]> =>
    auth.sql(`SELECT event, site_id, person_id, details FROM audit_log WHERE details->>'student_id' = $1`, [
      student_id,
    ]);

  it('moves the role to the person with the new address, invites them, and audits both', async () => {
    const student_id = '01a1fb4f-0000-7000-8000-000000000021';
    await applied(student(1, { student_id, email: 'typo@school.example' }));
    await applied(student(2, { student_id, email: 'right@school.example' }));
    expect([await rolesOf('typo@school.example'), await rolesOf('right@school.example')]).toEqual([[], ['student']]);
    expect(await mailsTo('typo@school.example')).toEqual([]);
    const [mail, ...more] = await mailsTo('right@school.example');
    expect([mail, more]).toEqual([expect.stringContaining('/account/invitation?token='), []]);
    const [from, to] = await Promise.all(
      ['typo', 'right'].map((name) =>
        auth.sql<{ person_id: string; member_id: string }>(
          'SELECT person_id, member_id FROM people JOIN site_members USING (person_id) WHERE email = $1',
          [`${name}@school.example`],
        ),
      ),
    );
    expect(await audited(student_id)).toEqual([
      {
        event: 'student.moved',
        site_id: auth.site.site_id,
        person_id: to?.[0]?.person_id,
        details: { student_id, from: from?.[0]?.member_id },
      },
    ]);
  });

  it('moves the role when another replica has not committed the first address', async () => {
    const student_id = '01a1fb4f-0000-7000-8000-000000000033';
    const first = student(1, { student_id, email: 'hasty@school.example' });
    const hold = await Hold.after(auth, (manager) => auth.app.get(StudentsService).apply(first, manager));
    const corrected = applied(student(2, { student_id, email: 'calm@school.example' }));
    await hold.waiting(1);
    await hold.release();
    await corrected;
    expect([await rolesOf('hasty@school.example'), await rolesOf('calm@school.example')]).toEqual([[], ['student']]);
  });

  it('keeps a suspension when the address is corrected and corrected back', async () => {
    const student_id = '01a1fb4f-0000-7000-8000-000000000031';
    const email = 'barred@school.example';
    const membership = () =>
      auth.sql('SELECT m.state, m.roles FROM site_members m JOIN people p USING (person_id) WHERE p.email = $1', [
        email,
      ]);
    await applied(student(1, { student_id, email }));
    await auth.sql(
      `UPDATE site_members SET state = 'suspended' WHERE person_id = (SELECT person_id FROM people WHERE email = $1)`,
      [email],
    );
    await applied(student(2, { student_id, email: 'parking@school.example' }));
    expect(await membership()).toEqual([{ state: 'suspended', roles: ['student'] }]);
    await applied(student(3, { student_id, email }));
    expect(await membership()).toEqual([{ state: 'suspended', roles: ['student'] }]);
  });

  it('creates no person of the corrected address of a removed student, until the student is restored', async () => {
    const student_id = '01a1fb4f-0000-7000-8000-000000000034';
    const [email, corrected] = ['gone@school.example', 'corrected@school.example'];
    await applied(student(1, { student_id, email }));
    await applied(student(2, { student_id, email: corrected, state: 'removed' }));
    await applied(student(1, { student_id, email }));
    expect([await rolesOf(email), await sitesOf(corrected)]).toEqual([[], []]);
    expect(await auth.sql('SELECT 1 FROM people WHERE email = $1', [corrected])).toEqual([]);
    await applied(student(3, { student_id, email: corrected }));
    expect([await rolesOf(email), await rolesOf(corrected)]).toEqual([[], ['student']]);
  });

  it('keeps the role of a person who is another student when the address of a removed one is corrected', async () => {
    const [first, second] = ['01a1fb4f-0000-7000-8000-000000000035', '01a1fb4f-0000-7000-8000-000000000036'];
    const email = 'handed-on@school.example';
    await applied(student(1, { student_id: first, email }));
    // The events of two students can arrive in any order.
    await applied(student(1, { student_id: second, email }));
    await applied(student(2, { student_id: first, email: 'parked@school.example', state: 'removed' }));
    expect(await rolesOf(email)).toEqual(['student']);
  });

  it('leaves no trace here of a person of another site, who is erased after leaving that site', async () => {
    const student_id = '01a1fb4f-0000-7000-8000-000000000037';
    const email = 'elsewhere@school.example';
    const there = await auth.app.get(SitesService).byId(auth.other.site_id);
    await auth.app.get(Administration).invite(there!, { email, name: 'Mei Lin', role: 'student' });
    await applied(student(1, { student_id, email, state: 'removed' }));
    expect((await sitesOf(email)).map(({ site_id }) => site_id)).toEqual([auth.other.site_id]);
    // A row without a profile, as a refused invitation or an earlier release leaves one.
    const members = auth.app.get(MembersService, { strict: false });
    const stateAfter = await auth.app.get(Outbox, { strict: false }).transaction(async (tx) => {
      const person = await auth.app.get(PeopleService, { strict: false }).holdByEmail(tx, email);
      await members.hold(tx, auth.site.site_id, person!.person_id);
      await members.eraseLast(tx, auth.other.site_id, person!);
      return tx.query('SELECT state FROM people WHERE person_id = $1', [person!.person_id]);
    });
    expect(stateAfter).toEqual([{ state: 'deleted' }]);
  });

  it('sends a person at most three welcome mails an hour', async () => {
    const student_id = '01a1fb4f-0000-7000-8000-000000000032';
    const both = ['one@victim.example', 'two@victim.example'];
    await applied(student(1, { student_id, email: 'first@victim.example' }));
    for (let n = 0; n < 10; n += 1) {
      await applied(student(n + 2, { student_id, email: both[n % 2] ?? '' }));
      await auth.mailsSent();
    }
    expect(await rolesOf('two@victim.example')).toEqual(['student']);
    const { hits } = LIMITS.welcomes;
    expect([(await mailsTo('one@victim.example')).length, (await mailsTo('two@victim.example')).length]).toEqual([
      hits,
      hits,
    ]);
    expect(hits).toBe(3);
  });

  it('gives an operator no access to the account of the previous address', async () => {
    const victim = 'stranger@school.example';
    const attacker = 'attacker@evil.example';
    const student_id = '01a1fb4f-0000-7000-8000-000000000022';
    await applied(student(1, { student_id, email: victim }));
    const row = () => auth.sql('SELECT * FROM people WHERE email = $1', [victim]);
    const [before, elsewhere] = [
      await row(),
      (await sitesOf(victim)).filter((one) => one.site_id !== auth.site.site_id),
    ];
    await applied(student(2, { student_id, email: attacker, name: 'The victim' }));
    expect(await row()).toEqual(before);
    expect((await sitesOf(victim)).filter((one) => one.site_id !== auth.site.site_id)).toEqual(elsewhere);
    const [mail = ''] = await mailsTo(attacker);
    const link = new URL(/http\S+\/account\/invitation\?\S+/.exec(mail)?.[0] ?? '');
    const flow = new Flow(auth);
    const page = await flow.browser.open(link.pathname + link.search);
    expect(page.body).toContain(attacker);
    await flow.submit(page, 'password', { password: 'the-password-of-the-attacker' });
    const other = new Flow(auth, auth.other);
    expect((await other.tokens({ client_id: 'second-member' }, 'stranger')).scope).toContain('account:read');
  });

  it('gives an operator no access to the account of the entered address', async () => {
    const victim = 'admin@school.example';
    const student_id = '01a1fb4f-0000-7000-8000-000000000023';
    await applied(student(1, { student_id, email: 'mine@evil.example', name: 'Mine' }));
    const row = () => auth.sql('SELECT * FROM people WHERE email = $1', [victim]);
    const [before, roles] = [await row(), await rolesOf(victim)];
    await applied(student(2, { student_id, email: victim, name: 'Mine' }));
    expect(await row()).toEqual(before);
    expect(await rolesOf(victim)).toEqual([...new Set([...(roles ?? []), 'student'])]);
    expect([await mailsTo(victim), await mailsTo('mine@evil.example')]).toEqual([[], []]);
    await applied(student(3, { student_id, email: 'mine@evil.example', name: 'Mine' }));
    expect(await rolesOf(victim)).toEqual(roles?.filter((role) => role !== 'student'));
  });

  it('keeps the role of a person who is a student of the site under another entry', async () => {
    const [first, second] = ['01a1fb4f-0000-7000-8000-000000000024', '01a1fb4f-0000-7000-8000-000000000025'];
    await applied(student(1, { student_id: first, email: 'shared@school.example' }));
    await applied(student(1, { student_id: second, email: 'second@school.example' }));
    // The events of two students can arrive in any order.
    await applied(student(2, { student_id: second, email: 'shared@school.example' }));
    await applied(student(2, { student_id: first, email: 'first@school.example' }));
    expect([await rolesOf('shared@school.example'), await rolesOf('first@school.example')]).toEqual([
      ['student'],
      ['student'],
    ]);
  });

  it('removes the role from a person whose other student was deleted', async () => {
    const [first, second] = ['01a1fb4f-0000-7000-8000-000000000026', '01a1fb4f-0000-7000-8000-000000000027'];
    const email = 'mistaken@school.example';
    await applied(student(1, { student_id: first, email }));
    await applied({ ...student(2, { student_id: first, email }), type: eventType(studentEvents, 'deleted') });
    expect(await rolesOf(email)).toEqual([]);
    await applied(student(1, { student_id: second, email }));
    expect(await rolesOf(email)).toEqual(['student']);
    await applied(student(2, { student_id: second, email: 'meant@school.example' }));
    expect([await rolesOf(email), await rolesOf('meant@school.example')]).toEqual([[], ['student']]);
  });
});
