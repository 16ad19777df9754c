import { randomUUID } from 'node:crypto';
import { MigratedDatabase } from '@lyceum/testing';
import { AmericanSpelling1764000030012 } from '#src/migrations/1764000030012-american-spelling.js';
import { Messages1764000040003 } from '#src/migrations/1764000040003-messages.js';
import { PostStates1764000260000 } from '#src/migrations/1764000260000-post-states.js';
import { migrations } from '#src/migrations/migrations.js';

const SITE = randomUUID();
const PERSON = randomUUID();
let database: MigratedDatabase;
let history: MigratedDatabase['history'];

beforeAll(async () => {
  database = await MigratedDatabase.open('learner', migrations);
  ({ history } = database);
});
afterEach(() => history.down());
afterAll(() => database?.close());

it('migrates up, down to an empty schema, and up to the same schema', async () => {
  const { empty, up, down, again } = await history.roundTrip();
  expect(Object.keys(up)).toContain('table courses');
  expect(down).toEqual(empty);
  expect(again).toEqual(up);
});

it('spells canceled meetings, events and registrations in both directions', async () => {
  await history.before(AmericanSpelling1764000030012);
  const id = randomUUID();
  for (const state of ['cancelled', 'no_show']) {
    await database.query(
      `with event as (
         insert into event (event_id, site_id, version, slug, name, hosting_type, starts_at, ends_at, timezone, state)
         values (gen_random_uuid(), $1, 1, $3, 'E', 'zoom', '2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z', 'UTC',
                 case $3 when 'no_show' then 'ended' else $3 end)),
       meeting as (
         insert into consulting_meeting (meeting_id, site_id, person_id, purchase_id, version, starts_at, ends_at, state)
         values (gen_random_uuid(), $1, $2, $4, 1, '2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z', $3))
       insert into event_registration
         (registration_id, site_id, person_id, event_id, version, state, registered_at, cancelled_at)
       values (gen_random_uuid(), $1, $2, $4, 1, $3, '2026-01-01T00:00:00Z',
               case $3 when 'cancelled' then '2026-01-02T00:00:00Z'::timestamptz end)`,
      [SITE, PERSON, state, id],
    );
  }
  const read = async (column: string): Promise<unknown> => [
    await database.query('select state from event order by state'),
    await database.query('select state from consulting_meeting order by state'),
    await database.query(`select state, ${column} as at from event_registration order by state`),
  ];
  const spelled = (word: string): unknown => [
    [{ state: word }, { state: 'ended' }],
    [{ state: word }, { state: 'no_show' }],
    [
      { state: word, at: new Date('2026-01-02T00:00:00Z') },
      { state: 'no_show', at: null },
    ],
  ];
  await history.up(AmericanSpelling1764000030012);
  expect(await read('canceled_at')).toEqual(spelled('canceled'));
  await history.down(AmericanSpelling1764000030012);
  expect(await read('cancelled_at')).toEqual(spelled('cancelled'));
});

it('makes unpublished posts drafts, and hides new states on the way down', async () => {
  await history.before(PostStates1764000260000);
  const add = (slug: string) =>
    database.query(
      `insert into posts (post_id, site_id, version, slug, title, state) values (gen_random_uuid(), $1, 1, $2, 'T', $2)`,
      [SITE, slug],
    );
  const states = () => database.query('select slug, state from posts order by slug');
  for (const state of ['published', 'unpublished']) await add(state);
  await history.up(PostStates1764000260000);
  for (const state of ['archived', 'scheduled']) await add(state);
  const published = { slug: 'published', state: 'published' };
  expect(await states()).toEqual([
    { slug: 'archived', state: 'archived' },
    published,
    { slug: 'scheduled', state: 'scheduled' },
    { slug: 'unpublished', state: 'draft' },
  ]);
  await history.down(PostStates1764000260000);
  expect(await states()).toEqual([
    { slug: 'archived', state: 'unpublished' },
    published,
    { slug: 'scheduled', state: 'unpublished' },
    { slug: 'unpublished', state: 'draft' },
  ]);
});

describe('the migration of messages', () => {
  type Sentence = readonly [kind: string, title: string, body: string | null, parameters: object | null];

  const SENTENCES: readonly Sentence[] = [
    ['course_enrolled', 'You are enrolled in Ink & Paper', null, { course: 'Ink & Paper' }],
    ['lecture_published', 'New lecture: Brushes', null, { lecture: 'Brushes' }],
    ['comment_replied', 'Ann replied to your comment', 'Yes.', { author: 'Ann', excerpt: 'Yes.' }],
    ['event_starting', 'Open day starts tomorrow', null, { event: 'Open day', minutes: 1440 }],
    ['event_starting', 'Open day starts within the hour', null, { event: 'Open day', minutes: 60 }],
    ['consulting_starting', 'Your session starts tomorrow', null, { minutes: 1440 }],
    ['consulting_starting', 'Your session starts within the hour', null, { minutes: 60 }],
    ['membership_changed', 'Your membership Gold is active', null, { plan: 'Gold', change: 'active' }],
    ['membership_changed', 'Your membership Gold needs attention', null, { plan: 'Gold', change: 'past_due' }],
    ['membership_changed', 'Your membership Gold is cancelled', null, { plan: 'Gold', change: 'canceled' }],
    ['membership_changed', 'Your membership Gold has ended', null, { plan: 'Gold', change: 'expired' }],
    ['post_published', 'A title', 'A body', { title: 'A title', excerpt: 'A body' }],
    ['course_post_published', 'A title', null, { title: 'A title', excerpt: null }],
    ['announcement_sent', 'A title', 'A body', { title: 'A title', body: 'A body' }],
    ['offer_sent', 'A title', 'A body', { title: 'A title', body: 'A body' }],
    // Sentences that no version of the kind has written.
    ['course_enrolled', 'Welcome to Ink & Paper', null, null],
    ['membership_changed', 'Your membership', null, null],
    ['unknown_kind', 'A title', null, null],
  ];
  const kept = SENTENCES.flatMap(([kind, , , parameters], index) =>
    parameters === null ? [] : [{ occasion: `o${index}`, kind, parameters }],
  );

  beforeEach(async () => {
    await history.before(Messages1764000040003);
    for (const [index, [kind, title, body]] of SENTENCES.entries()) {
      const values = [SITE, `o${index}`, kind, title, body];
      await database.query(
        `insert into notification (site_id, occasion, kind, title, body, person_id, created_at, read_at)
         values ($1, $2, $3, $4, $5, $6, now(), case $3 when 'unknown_kind' then now() end)`,
        [...values, PERSON],
      );
      await database.query(
        `insert into fan_out (site_id, occasion, kind, title, body, audience, created_at, turn_at)
         values ($1, $2, $3, $4, $5, 'site', now(), now())`,
        values,
      );
    }
    await database.query('insert into inbox_count (site_id, person_id, unread) values ($1, $2, $3)', [
      SITE,
      PERSON,
      SENTENCES.length - 1,
    ]);
    await database.query(
      `insert into outbound_mail (site_id, person_id, occasion, topic, title, body, created_at, due_at)
       values ($1, $2, 'o', 'announcements', 'A title', 'A body', now(), now())`,
      [SITE, PERSON],
    );
  });

  const inOrder = (table: string): string => `from ${table} order by substr(occasion, 2)::int`;

  it('turns sentences into parameters and deletes what it cannot read', async () => {
    await history.up(Messages1764000040003);
    for (const table of ['notification', 'fan_out']) {
      expect(await database.query(`select occasion, kind, parameters ${inOrder(table)}`)).toEqual(kept);
    }
    expect(await database.query('select kind, parameters from outbound_mail')).toEqual([
      { kind: 'announcement_sent', parameters: { title: 'A title', body: 'A body' } },
    ]);
  });

  it('counts unread notifications without those that it deletes', async () => {
    await history.up(Messages1764000040003);
    expect(await database.query('select unread from inbox_count')).toEqual([{ unread: kept.length }]);
  });

  it('gives every row a title on the way down', async () => {
    await history.up(Messages1764000040003);
    await history.down(Messages1764000040003);
    const titles = kept.map(({ kind, parameters }) => ('title' in parameters ? parameters.title : kind));
    for (const table of ['notification', 'fan_out']) {
      expect(await database.query(`select title ${inOrder(table)}`)).toEqual(titles.map((title) => ({ title })));
    }
    expect(await database.query('select title, body from outbound_mail')).toEqual([
      { title: 'A title', body: 'A body' },
    ]);
  });
});
