import { readdir, readFile } from 'node:fs/promises';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REVOCATION_SUBJECT, SITES_BUCKET, describePerson, eventType, studentEvents } from '@lyceum/contracts';
import { Requests } from '@lyceum/messaging';
import { postForms, testNats, eventually } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import type { z } from 'zod';
import type { StudentEvent } from '#src/students/students.service.js';
import { PASSWORD, startAuth } from './auth.js';
import type { TestAuth } from './auth.js';
import { Flow } from './flow.js';
import { linkIn } from './mails.js';
import { Observer } from './observer.js';
import { applyStudent, studentEvent } from './student-events.js';

type Student = z.output<(typeof studentEvents)['data']>;

describe('Events of auth over NATS', () => {
  let nats: TestNats;
  let observer: Observer;
  let auth: TestAuth;
  const mails = mkdtempSync(join(tmpdir(), 'lyceum-mail-'));

  beforeAll(async () => {
    nats = await testNats();
    observer = await Observer.of(nats);
    auth = await startAuth({ nats: nats.environment('auth'), environment: { MAIL_DIRECTORY: mails } });
  });
  afterAll(async () => {
    await auth.stop();
    await observer.stop();
    await nats.stop();
  });

  const student = (version: number, change: Partial<Student> = {}): StudentEvent =>
    studentEvent(auth, version, {
      student_id: '01a1fb4f-0000-7000-8000-000000000001',
      email: 'new@school.example',
      ...change,
    });
  const deletion = (version: number, change: Pick<Student, 'student_id' | 'email'>): StudentEvent => ({
    ...student(version, { ...change, name: '', state: 'removed' }),
    type: eventType(studentEvents, 'deleted'),
  });
  const applied = (event: StudentEvent) => applyStudent(auth, event);
  const rolesOf = async (email: string): Promise<string[] | undefined> => {
    const text = `SELECT r.roles FROM site_members r JOIN people p USING (person_id) WHERE p.email = $1 AND r.site_id = $2`;
    const [row] = await auth.sql<{ roles: string[] }>(text, [email, auth.site.site_id]);
    return row?.roles;
  };

  it('publishes every site and every change of one to the site directory', async () => {
    const entry = (slug: string) => async () =>
      (await observer.bucket(SITES_BUCKET).catch(() => [])).find((site) => site['slug'] === slug);
    const site = await eventually(entry('first'));
    expect(site).toMatchObject({ base_url: auth.site.base_url, org_id: auth.site.org_id, state: 'active' });
    const third = { base_url: 'https://third.example', slug: 'third' };
    await auth.apply({ sites: [{ ...third, name: 'Third' }] });
    expect(await eventually(entry('third'))).toMatchObject({ name: 'Third', host: 'third.example' });
    await auth.apply({ sites: [{ ...third, name: 'Third School' }] });
    expect(await entry('third')()).toMatchObject({ name: 'Third School' });
  });

  it('publishes sites, people and roles with growing versions', async () => {
    const role = await eventually(() =>
      observer.received.find(({ subject, body }) => {
        const data = body['data'] as { email?: string; site_id?: string };
        return (
          subject === 'identity.role.changed.v1' &&
          data.email === 'both@school.example' &&
          data.site_id === auth.other.site_id
        );
      }),
    );
    expect(role.body).toMatchObject({
      aggregate_version: 1,
      site_id: auth.other.site_id,
      data: { roles: ['student'], joined: true },
    });
    const person = observer.received.filter(
      ({ subject, body }) =>
        subject.startsWith('identity.person.') && (body['data'] as { email: string }).email === 'owner@school.example',
    );
    // The creation, and then the confirmation of the address.
    expect(person.map(({ body }) => [body['aggregate_version'], body['site_id']])).toEqual([
      [1, null],
      [2, null],
    ]);
    expect(JSON.stringify(observer.received)).not.toContain('argon2');
  });

  it('creates a person with the student role from a student event', async () => {
    await applied(student(1));
    expect(await rolesOf('new@school.example')).toEqual(['student']);
  });

  it('ignores a repeated student event and an older one', async () => {
    const email = 'ordered@school.example';
    const student_id = '01a1fb4f-0000-7000-8000-000000000002';
    await applied(student(3, { email, student_id, state: 'removed' }));
    expect(await rolesOf(email)).toBeUndefined();
    await applied(student(2, { email, student_id }));
    expect(await rolesOf(email)).toBeUndefined();
    await applied(student(4, { email, student_id }));
    expect(await rolesOf(email)).toEqual(['student']);
  });

  it('removes the student role and keeps the others', async () => {
    const email = 'lecturer@school.example';
    const student_id = '01a1fb4f-0000-7000-8000-000000000003';
    await applied(student(1, { email, student_id }));
    expect(await rolesOf(email)).toEqual(['lecturer', 'student']);
    await applied(student(2, { email, student_id, state: 'removed' }));
    expect(await rolesOf(email)).toEqual(['lecturer']);
  });

  it('creates no person for the deletion of an unknown student, and none for an earlier event after it', async () => {
    const change = { email: 'unknown@school.example', student_id: '01a1fb4f-0000-7000-8000-000000000041' };
    await applied(deletion(2, change));
    await applied(student(1, change));
    expect(await auth.sql('SELECT 1 FROM people WHERE email = $1', [change.email])).toEqual([]);
  });

  it('adds no member for the deletion of an unknown student with the address of a person of another site', async () => {
    const email = 'stranger@school.example';
    await applied(deletion(2, { email, student_id: '01a1fb4f-0000-7000-8000-000000000042' }));
    expect(await auth.sql('SELECT 1 FROM people WHERE email = $1', [email])).toHaveLength(1);
    expect(await rolesOf(email)).toBeUndefined();
  });

  it('takes the role of an unknown student who is deleted from the member with the address', async () => {
    const email = 'by-auth@school.example';
    await auth.sql(
      `WITH added AS (INSERT INTO people (email, name) VALUES ($1, 'Given by auth') RETURNING person_id)
       INSERT INTO site_members (site_id, person_id, roles) SELECT $2, person_id, '{student}' FROM added`,
      [email, auth.site.site_id],
    );
    await applied(deletion(2, { email, student_id: '01a1fb4f-0000-7000-8000-000000000043' }));
    expect(await rolesOf(email)).toEqual([]);
  });

  it('takes the role of a deleted student from the person whom it had, and creates none of a later address', async () => {
    const [email, later] = ['deleted@school.example', 'never-applied@school.example'];
    const student_id = '01a1fb4f-0000-7000-8000-000000000044';
    await applied(student(1, { email, student_id }));
    await applied(deletion(3, { email: later, student_id }));
    await applied(student(2, { email: later, student_id }));
    expect(await rolesOf(email)).toEqual([]);
    expect(await auth.sql('SELECT 1 FROM people WHERE email = $1', [later])).toEqual([]);
  });

  it('keeps the name of an existing person when a student event has another', async () => {
    await applied(
      student(1, {
        email: 'owner@school.example',
        name: 'Somebody',
        student_id: '01a1fb4f-0000-7000-8000-000000000004',
      }),
    );
    const [row] = await auth.sql<{ name: string }>(`SELECT name FROM people WHERE email = 'owner@school.example'`);
    expect(row?.name).toBe('The owner');
  });

  it('publishes an existing student role to the school once', async () => {
    const email = 'student@school.example';
    const student_id = '01a1fb4f-0000-7000-8000-000000000005';
    const versions = async () => {
      const text = `SELECT r.version FROM site_members r JOIN people p USING (person_id) WHERE p.email = $1 AND r.site_id = $2`;
      const [row] = await auth.sql<{ version: number }>(text, [email, auth.site.site_id]);
      return row?.version ?? 0;
    };
    const before = await versions();
    await applied(student(1, { email, student_id }));
    expect(await versions()).toBe(before + 1);
    await applied(student(2, { email, student_id, person_id: auth.site.people[3]?.person_id ?? null }));
    expect(await versions()).toBe(before + 1);
  });

  it('welcomes a new student once, with a link that sets a password', async () => {
    const email = 'welcome@school.example';
    await applied(student(1, { email, student_id: '01a1fb4f-0000-7000-8000-000000000006', send_welcome_email: true }));
    await auth.mailsSent();
    const files = await readdir(mails);
    const texts = await Promise.all(files.map((file) => readFile(join(mails, file), 'utf8')));
    const mail = texts.find((text) => text.includes(`To: ${email}`)) ?? '';
    const link = linkIn(mail);
    const flow = new Flow(auth);
    const page = await flow.browser.open(link);
    expect(page.body).toContain(email);
    const short = await flow.submit(page, 'password', { password: 'short' });
    expect([short.status, short.body.includes('10 to 256')]).toEqual([422, true]);
    const done = await flow.submit(short, 'password', { password: PASSWORD });
    expect(done.body).toContain('Your password is set');
    const again = await flow.browser.open(link);
    expect(again.status).toBe(404);
    const { scope } = await flow.tokens({}, 'welcome');
    expect(scope).toContain('account:read');
    const [person] = await auth.sql<{ email_verified: boolean }>('SELECT email_verified FROM people WHERE email = $1', [
      email,
    ]);
    expect(person?.email_verified).toBe(true);
    expect(postForms(again.body)).toEqual([]);
  });

  it.each([
    ['line breaks', 'Bob\r\n\r\nYour account is locked: evil.example', '17'],
    ['a URL', 'Bob http://evil.example/', '18'],
    ['a host name', 'bob.evil.example', '19'],
  ])('greets a student whose name has %s without the name', async (_what, name, number) => {
    const email = `greeted-${number}@school.example`;
    const student_id = `01a1fb4f-0000-7000-8000-0000000000${number}`;
    await applied(student(1, { email, name, student_id, send_welcome_email: true }));
    await auth.mailsSent();
    const files = await readdir(mails);
    const texts = await Promise.all(files.map((file) => readFile(join(mails, file), 'utf8')));
    const mail = texts.find((text) => text.includes(`To: ${email}`)) ?? '';
    expect(mail).toContain('\r\nHello,\r\n');
    expect(mail).not.toContain('evil.example');
  });

  it('describes a principal at a site only when the person has a role there', async () => {
    const requests = auth.app.get(Requests);
    const { site_id, people } = auth.site;
    const [owner] = people;
    const describeAt = (person_id: string, at = site_id) =>
      requests.request(describePerson, { person_id, site_id: at }, { site_id });
    const known = await eventually(() => describeAt(owner?.person_id ?? '').catch(() => undefined));
    expect(known).toMatchObject({
      name: 'The owner',
      email: 'owner@school.example',
      roles: expect.arrayContaining(['owner']),
    });
    const stranger = auth.other.people.find(({ email }) => email.startsWith('stranger'))?.person_id ?? '';
    await expect(describeAt(stranger)).rejects.toMatchObject({ code: 'not_found' });
    await expect(describeAt(owner?.person_id ?? '', auth.other.site_id)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('broadcasts a revocation within a moment', async () => {
    const flow = new Flow(auth);
    const { access_token } = await flow.tokens({}, 'both');
    const { body } = await flow.introspect(access_token);
    await flow.post('/api/oauth/revoke', { token: access_token, client_id: 'first-member' });
    const revocation = await eventually(() =>
      observer.received.find(
        ({ subject, body: revocation }) => subject === REVOCATION_SUBJECT && revocation['subject'] === body['grant_id'],
      ),
    );
    expect(revocation.body).toMatchObject({ kind: 'grant', site_id: auth.site.site_id });
  });

  it('invites students of the event stream, also after the stream was deleted and created again', async () => {
    await observer.deleteStream('SCHOOL');
    await nats.bootstrap();
    const event = student(1, { email: 'streamed@school.example', student_id: '01a1fb4f-0000-7000-8000-000000000007' });
    await observer.publish(event.type, event.id, event);
    const roles = await eventually(() => rolesOf('streamed@school.example'));
    expect(roles).toEqual(['student']);
    const events = await eventually(() =>
      observer.received.find(
        ({ subject, body }) =>
          subject === 'identity.role.changed.v1' &&
          (body['data'] as { email: string }).email === 'streamed@school.example',
      ),
    );
    expect(events.body['data']).toMatchObject({ roles: ['student'], name: 'New Student' });
  });
});
