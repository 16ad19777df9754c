import { subscriptionEvents } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { eventually, smtpSink } from '@lyceum/testing';
import type pg from 'pg';
import { MOST_MAILS } from '#src/mails/digest-mail.policy.js';
import { DIGEST_MINUTES, MAILS_AT_ONCE } from '#src/notification-subscriptions/digest.policy.js';
import { readMail } from './mail-reader.js';
import { newReply } from './new-reply.js';
import { untilMember } from './until-member.js';
import { startMemberApi } from './member-api.js';
import type { TestApi } from './member-api.js';

let api: TestApi;
let database: pg.Client;
let sink: Awaited<ReturnType<typeof smtpSink>>;
let refusals: Error[] = [];
let site_id: string;
let person_id: string;
let email: string;

beforeAll(async () => {
  sink = await smtpSink({ onRcptTo: (_address, _session, done) => done(refusals.shift()) });
  api = await startMemberApi({ MAIL_SMTP_URL: sink.url, MAIL_FROM: 'no-reply@school.example' });
  await api.replica();
  database = await api.connect();
  const [{ base_url, host, name, slug, org_id, site_id: site }] = api.sites;
  site_id = site;
  const course_url = 'https://www.example.com/{slug}';
  await api.world.site({ site_id, base_url, host, name, slug, org_id, state: 'active', course_url });
  await api.world.course({ site_id, slug: 'knots' });
  await eventually(async () => (await database.query('SELECT FROM courses')).rowCount === 1);
});
beforeEach(async () => {
  refusals = [];
  sink.received.length = 0;
  person_id = uuidv7();
  email = `${person_id}@example.org`;
  await api.world.person({ person_id, email });
  await api.world.role({ person_id, site_id, email });
  await untilMember(database, person_id);
});
afterAll(async () => {
  await api.stop();
  await sink.close();
});

/** Publishes replies to comments of the member, one after the other, and waits until they are queued. */
async function replies(...authors: readonly string[]): Promise<void> {
  for (const author_name of authors) {
    const reply = { author_name, path: '/courses/knots', excerpt: `It says ${author_name}.` };
    await newReply(api.world, { site_id, to: person_id, ...reply });
    await eventually(async () => (await queued()).some((mail) => mail.author === author_name));
  }
}

interface Queued {
  readonly mail_id: string;
  readonly digest_id: string | null;
  readonly author: string;
  readonly wait: number;
  readonly ended: boolean;
  readonly failure: string | null;
}

const queued = async (): Promise<Queued[]> =>
  (
    await database.query<Queued>(
      `select mail_id, digest_id, parameters->>'author' as author, ended_at is not null as ended, failure,
              round(extract(epoch from due_at - created_at) / 60)::int as wait
       from outbound_mails where person_id = $1 order by created_at, mail_id`,
      [person_id],
    )
  ).rows;

const mails = () => sink.received.filter(({ to }) => to.includes(email)).map(readMail);
const settled = () => eventually(async () => (await queued()).every(({ ended }) => ended));

/** Ends the wait of all mails at once. Locks the oldest one first, as the service does. */
const endWait = (): Promise<unknown> =>
  database.query(
    `with waiting as materialized (
       select mail_id from outbound_mails where person_id = $1 and ended_at is null
       order by created_at, mail_id for update)
     update outbound_mails o set due_at = now() from waiting where o.mail_id = waiting.mail_id`,
    [person_id],
  );

/** Three mails within the hour, each sent before the next is queued. */
async function firstThree(): Promise<void> {
  for (const name of ['One', 'Two', 'Three']) {
    await replies(name);
    await settled();
  }
}

/** Lets mails wait, as if three had been sent within the hour. */
async function waiting(count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `Waiting-${index}-`);
  await firstThree();
  sink.received.length = 0;
  await replies(...names);
  return names;
}

it(`sends ${MAILS_AT_ONCE} mails of a subscription at once, and lets later ones wait for one instant`, async () => {
  await firstThree();
  expect(mails().map(({ subject }) => subject)).toEqual(
    ['One', 'Two', 'Three'].map((name) => `${name} replied to your comment`),
  );
  await replies('Four', 'Five');
  const all = await queued();
  expect(all.slice(0, MAILS_AT_ONCE).every(({ ended }) => ended)).toBe(true);
  expect(all.slice(MAILS_AT_ONCE).map(({ ended, wait }) => [ended, wait])).toEqual(
    Array(2).fill([false, DIGEST_MINUTES]),
  );
  const { rows } = await database.query(
    'select count(distinct due_at)::int as instants from outbound_mails where person_id = $1 and ended_at is null',
    [person_id],
  );
  expect(rows).toEqual([{ instants: 1 }]);
});

it('sends a mail at once again an hour after the first three', async () => {
  await firstThree();
  const age = (minutes: number): Promise<unknown> =>
    database.query(
      'update outbound_mails set created_at = now() - make_interval(mins => $2, secs => 5) where person_id = $1',
      [person_id, minutes],
    );
  await age(DIGEST_MINUTES);
  await replies('Four');
  await settled();
  expect(mails()).toHaveLength(4);
  await age(DIGEST_MINUTES - 1);
  await replies('Five');
  expect((await queued()).at(-1)).toMatchObject({ author: 'Five', ended: false });
});

it('lists waiting mails in one, each once, which two replicas send once', async () => {
  const names = await waiting(5);
  await endWait();
  await settled();
  const [digest, ...more] = mails();
  expect([digest?.subject, more]).toEqual(['5 new replies to your comments', []]);
  for (const name of names) {
    for (const form of [digest?.text ?? '', digest?.html ?? '']) expect(form.split(`It says ${name}.`)).toHaveLength(2);
  }
  expect(digest?.html.split('"https://www.example.com/knots"')).toHaveLength(names.length + 1);
  expect(digest?.text).toMatch(/\nUnsubscribe: http\S+\/member\/unsubscribe\?token=/);
  expect(sink.received[0]?.source).toMatch(/^List-Unsubscribe:/m);
  const [first] = (await queued()).slice(MAILS_AT_ONCE);
  expect(digest?.messageId).toBe(`<${first?.mail_id}@localhost>`);
});

it('sends a single waiting mail as it is', async () => {
  const [name] = await waiting(1);
  await endWait();
  await settled();
  expect(mails().map(({ subject }) => subject)).toEqual([`${name} replied to your comment`]);
});

it.each([
  [MOST_MAILS, [`${MOST_MAILS} new replies to your comments`]],
  [MOST_MAILS + 1, [`${MOST_MAILS} new replies to your comments`, `Waiting-${MOST_MAILS}- replied to your comment`]],
])('sends %i waiting mails as %j', async (count, subjects) => {
  await waiting(count);
  await endWait();
  await settled();
  expect(mails().map(({ subject }) => subject)).toEqual(subjects);
});

it('repeats the same list with the same Message-ID after a refusal, and sends a later mail on its own', async () => {
  await waiting(2);
  refusals = [Object.assign(new Error('busy'), { responseCode: 450 })];
  await endWait();
  await eventually(async () => (await queued()).filter(({ digest_id }) => digest_id !== null).length === 5);
  await replies('Late');
  await eventually(() => (refusals.length === 0 ? true : undefined));
  await eventually(async () => {
    const text = `update outbound_mails set due_at = now() where person_id = $1 and ended_at is null and attempts > 0
                  and due_at < now() + interval '60 seconds'`;
    return (await database.query(text, [person_id])).rowCount === 1;
  });
  await eventually(() => (mails().length === 1 ? true : undefined));
  await endWait();
  await settled();
  const [digest, late, ...more] = mails();
  expect([digest?.subject, late?.subject, more]).toEqual([
    '2 new replies to your comments',
    'Late replied to your comment',
    [],
  ]);
  expect(digest?.text).not.toContain('It says Late.');
});

it('gives up all mails of a list that the server refuses for good', async () => {
  await waiting(3);
  refusals = [Object.assign(new Error('no such mailbox'), { responseCode: 550 })];
  await endWait();
  await settled();
  const failures = (await queued()).slice(MAILS_AT_ONCE).map(({ failure }) => failure?.includes('550'));
  expect([failures, mails()]).toEqual([[true, true, true], []]);
});

it('drops waiting mails after unsubscribing', async () => {
  await waiting(2);
  await database.query(
    `insert into notification_subscriptions (site_id, person_id, topic, version, active, in_app, email, updated_at)
     values ($1, $2, 'comment_reply', 1, true, true, false, now())`,
    [site_id, person_id],
  );
  await endWait();
  await settled();
  expect(mails()).toEqual([]);
});

it('lets neither mandatory mails nor announcements wait', async () => {
  const numbers = Array.from({ length: MAILS_AT_ONCE + 1 }, (_, index) => index + 1);
  for (const number of numbers) {
    await api.world.announcement({ site_id, title: `Announcement ${number}` });
    const subscription_id = uuidv7();
    await api.world.entity(subscriptionEvents, subscription_id, site_id, {
      subscription_id,
      site_id,
      student_id: uuidv7(),
      person_id,
      plan_id: uuidv7(),
      price_id: uuidv7(),
      plan_name: `Crew ${number}`,
      state: 'expired',
      state_since: new Date().toISOString(),
      trial_ends_at: null,
      current_period_end: null,
      cancel_at_period_end: false,
      ended_at: new Date().toISOString(),
    });
  }
  await eventually(() => (mails().length === 2 * numbers.length ? true : undefined));
  const subjects = numbers.flatMap((number) => [`Announcement ${number}`, `Your membership Crew ${number} has ended`]);
  expect(new Set(mails().map(({ subject }) => subject))).toEqual(new Set(subjects));
});

it('puts mails of two courses into two mails', async () => {
  const courses = [uuidv7(), uuidv7()];
  await database.query(
    `insert into outbound_mails (site_id, person_id, occasion, kind, topic, entity_id, parameters, created_at, due_at)
     select $1, $2, 'post-' || n, 'course_post_published', 'course_update', ($3::uuid[])[1 + n % 2],
            jsonb_build_object('title', 'Post ' || n, 'excerpt', 'It says ' || n || '.'), now(), now()
     from generate_series(1, 4) n`,
    [site_id, person_id, courses],
  );
  await settled();
  expect(mails().map(({ subject }) => subject)).toEqual(Array(2).fill('2 new posts in your courses'));
  const texts = mails().map(({ text }) => [...text.matchAll(/Post (\d)/g)].map(([, n]) => Number(n) % 2));
  expect(texts.map((odd) => new Set(odd).size)).toEqual([1, 1]);
});
