import { uuidv7 } from '@lyceum/platform';
import { eventually, smtpSink } from '@lyceum/testing';
import type pg from 'pg';
import { MAILS } from '#src/mails/mails.queue.js';
import { startMemberApi } from './member-api.js';
import type { TestApi } from './member-api.js';
import { newReply } from './new-reply.js';
import { untilMember } from './until-member.js';

let api: TestApi;
let database: pg.Client;
let sink: Awaited<ReturnType<typeof smtpSink>>;

beforeAll(async () => {
  sink = await smtpSink();
  api = await startMemberApi({ MAIL_SMTP_URL: sink.url, MAIL_FROM: 'no-reply@school.example' });
  database = await api.connect();
});
afterAll(async () => {
  await api.stop();
  await sink.close();
});

it('sends no mail of a suspended site', async () => {
  const { site_id, base_url, host } = api.sites[1];
  const names = { name: 'Lighthouse', slug: 'site', org_id: 'org' };
  const suspended = { site_id, base_url, host, ...names, state: 'suspended' } as const;
  await api.world.site(suspended, { version: 2, name: 'suspended' });
  await eventually(async () => {
    const text = `SELECT FROM sites WHERE site_id = $1 AND state = 'suspended'`;
    return (await database.query(text, [site_id])).rowCount === 1;
  });
  const member = { site_id, person_id: uuidv7() };
  await api.world.person({ person_id: member.person_id, email: 'cal@example.org' });
  await api.world.role(member);
  await untilMember(database, member.person_id);
  const sent = { site_id, to: member.person_id, author_name: 'Unheard', path: '/courses/knots' };
  await newReply(api.world, { ...sent, excerpt: 'Indeed.' });
  const unheard = `outbound_mails WHERE parameters->>'author' = 'Unheard'`;
  // It waits for an address, until its site is active again, and is tried for the last time by then.
  await eventually(async () => {
    const text = `UPDATE outbound_mails SET attempts = $1, due_at = now() WHERE mail_id IN
      (SELECT mail_id FROM ${unheard} AND attempts = 1 AND due_at < now() + interval '60 seconds')`;
    return (await database.query(text, [MAILS.attempts - 1])).rowCount === 1;
  });
  await eventually(
    async () => (await database.query(`SELECT FROM ${unheard} AND ended_at IS NOT NULL`)).rowCount === 1,
  );
  expect(sink.received).toEqual([]);
});
