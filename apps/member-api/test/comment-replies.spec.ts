import { ERASED_NAME, commentEvents } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { eventually } from '@lyceum/testing';
import pg from 'pg';
import { startMemberApi } from './member-api.js';
import type { Data, TestApi } from './member-api.js';
import type { DataOf } from './world.js';

const INBOX = '{ viewer { notifications(first: 50) { nodes { kind title body } } } }';
const NAME = 'Grace Removed';

let api: TestApi;
let database: pg.Client;
let member: { readonly site_id: string; readonly person_id: string };

beforeAll(async () => {
  api = await startMemberApi();
  database = await api.connect();
  member = await api.member();
});
afterAll(() => api.stop());

type Comment = DataOf<typeof commentEvents>;

/** A reply to a comment of the member. */
function draft(excerpt: string): Comment {
  return {
    comment_id: uuidv7(),
    site_id: member.site_id,
    commentable: { type: 'course', id: uuidv7() },
    course_id: null,
    student_id: uuidv7(),
    author_person_id: uuidv7(),
    author_name: NAME,
    parent: { comment_id: uuidv7(), author_person_id: member.person_id },
    path: '/courses/knots',
    excerpt,
    state: 'visible',
    posted_at: new Date().toISOString(),
  };
}

/** A reply whose notification has arrived. */
async function reply(excerpt: string): Promise<Comment> {
  const data = draft(excerpt);
  await send(data, 1, 'created');
  expect(await notified(excerpt)).toMatchObject({ title: `${NAME} replied to your comment` });
  return data;
}

const send = (data: Comment, version: number, name: string) =>
  api.world.entity(commentEvents, data.comment_id, member.site_id, data, { version, name });

const found = ({ viewer }: Data, body: string | null): Data =>
  viewer?.notifications.nodes.find((one: Data) => one.body === body);
const notified = async (body: string | null): Promise<Data> =>
  found(await api.until(INBOX, (data) => found(data, body) !== undefined), body);

/** The rows of inboxes and mails that have the name of the author of a reply. */
async function named(comment_id: string): Promise<unknown[]> {
  const { rows } = await database.query<{ from: string }>(
    `select 'notifications' as from from notifications where occasion = $1 and parameters::text like $2
     union all select 'outbound_mails' from outbound_mails where occasion = $1 and parameters::text like $2`,
    [`comment:${comment_id}`, `%${NAME}%`],
  );
  return rows.map(({ from }) => from).toSorted();
}

/** The version before which events of the comment are deleted, also from dead letters. */
const erasedBefore = async (comment_id: string): Promise<unknown> => {
  const text = 'select version::int from event_erasures where aggregate_id = $1';
  return (await database.query<{ version: number }>(text, [comment_id])).rows[0]?.version;
};

it('replaces the name of a removed author in the inbox and the mail of the recipient, and keeps the text', async () => {
  const [data, other] = [await reply('It holds.'), await reply('It slips.')];
  expect(await named(data.comment_id)).toEqual(['notifications', 'outbound_mails']);
  await send({ ...data, author_name: ERASED_NAME, author_person_id: null }, 3, 'erased');
  await eventually(async () => (await named(data.comment_id)).length === 0);
  expect(await notified('It holds.')).toMatchObject({ title: `${ERASED_NAME} replied to your comment` });
  expect(await erasedBefore(data.comment_id)).toBe(3);
  expect(await named(other.comment_id)).toEqual(['notifications', 'outbound_mails']);
});

it('replaces it for a recipient whom the event no longer names', async () => {
  const data = await reply('It turns.');
  const parent = { comment_id: uuidv7(), author_person_id: null };
  await send({ ...data, parent, author_name: ERASED_NAME, author_person_id: null }, 2, 'erased');
  expect(
    await eventually(
      () => named(data.comment_id),
      (rows) => rows.length === 0,
    ),
  ).toEqual([]);
});

it('removes the name and the text of a deleted reply', async () => {
  const data = await reply('It breaks.');
  await send({ ...data, author_name: ERASED_NAME, excerpt: '', state: 'deleted' }, 2, 'deleted');
  await eventually(async () => (await named(data.comment_id)).length === 0);
  expect(await notified(null)).toMatchObject({ kind: 'COMMENT_REPLIED' });
  const { rows } = await database.query('select from notifications where parameters::text like $1', ['%It breaks.%']);
  expect(rows).toEqual([]);
});

it('keeps the name and the text of a deleted reply away when its first event arrives last', async () => {
  const data = draft('It leaks.');
  const { comment_id } = data;
  await send({ ...data, author_name: ERASED_NAME, excerpt: '', state: 'deleted' }, 2, 'deleted');
  await eventually(async () => (await erasedBefore(comment_id)) === 2);
  await send(data, 1, 'created');
  await reply('It floats.');
  const { rows } = await database.query('select from notifications where occasion = $1', [`comment:${comment_id}`]);
  expect([rows, await named(comment_id)]).toEqual([[], []]);
});

it('keeps the name of a removed author away when the first event arrives last, and notifies of the reply', async () => {
  const data = draft('It drags.');
  await send({ ...data, author_name: ERASED_NAME, author_person_id: null }, 2, 'erased');
  await eventually(async () => (await erasedBefore(data.comment_id)) === 2);
  await send(data, 1, 'created');
  await reply('It swings.');
  expect(await notified('It drags.')).toMatchObject({ title: `${ERASED_NAME} replied to your comment` });
  expect(await named(data.comment_id)).toEqual([]);
});

it('applies a reply after the deletion of the same reply that is being applied', async () => {
  const data = draft('It waits.');
  const { comment_id } = data;
  const other = new pg.Client({ connectionString: api.databaseUrl });
  await other.connect();
  try {
    // Another replica, in the middle of the transaction of the deletion.
    await other.query('begin');
    await other.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [comment_id]);
    const erasure = 'insert into event_erasures (aggregate_id, epoch, version) values ($1, 1, 2)';
    await other.query(erasure, [comment_id]);
    await send(data, 1, 'created');
    const waits = `select from pg_locks where locktype = 'advisory' and not granted`;
    await eventually(async () => (await database.query(waits)).rowCount === 1);
    await other.query('commit');
  } finally {
    await other.end();
  }
  await reply('It goes on.');
  expect(await named(comment_id)).toEqual([]);
});

it('notifies the recipient of a reply when a moderator approves it a week later', async () => {
  const posted_at = new Date(Date.now() - 7 * 24 * 3_600_000).toISOString();
  const data = { ...draft('It was late.'), posted_at };
  await send({ ...data, state: 'pending' }, 1, 'created');
  await send(data, 2, 'approved');
  expect(await notified('It was late.')).toMatchObject({ kind: 'COMMENT_REPLIED' });
});

describe('a reply that a moderator hides', () => {
  /** The excerpts of the notification and the mail, and whether the mail has ended. */
  async function texts({ comment_id }: Comment): Promise<unknown[]> {
    const { rows } = await database.query<{ excerpt: string; mail: string; ended: boolean }>(
      `select n.parameters->>'excerpt' as excerpt, o.parameters->>'excerpt' as mail, o.ended_at is not null as ended
       from notifications n join outbound_mails o using (site_id, person_id, occasion) where n.occasion = $1`,
      [`comment:${comment_id}`],
    );
    return rows.map(({ excerpt, mail, ended }) => [excerpt, mail, ended]);
  }
  const applied = (data: Comment, version: number): Promise<unknown> =>
    eventually(async () => (await erasedBefore(data.comment_id)) === version);

  it('loses its text and its waiting mail, and gets the text back when it is approved', async () => {
    const data = await reply('It chafes.');
    const delay = `update outbound_mails set ended_at = null, due_at = now() + interval '1 hour' where occasion = $1`;
    await database.query(delay, [`comment:${data.comment_id}`]);
    await send({ ...data, state: 'hidden' }, 2, 'hidden');
    await applied(data, 2);
    expect(await texts(data)).toEqual([['', '', true]]);
    await send(data, 3, 'approved');
    await applied(data, 3);
    expect(await texts(data)).toEqual([['It chafes.', 'It chafes.', true]]);
  });

  it('notifies of its approval alone when its first event arrives last', async () => {
    const data = draft('It frays.');
    await send({ ...data, state: 'hidden' }, 2, 'hidden');
    await applied(data, 2);
    await send(data, 1, 'created');
    await reply('It binds.');
    expect(await texts(data)).toEqual([]);
    await send(data, 3, 'approved');
    expect(await notified('It frays.')).toMatchObject({ kind: 'COMMENT_REPLIED' });
  });

  it('keeps the text of an approved reply, when an earlier `hidden` arrives late', async () => {
    const data = await reply('It jams.');
    await send(data, 3, 'approved');
    await applied(data, 3);
    await send({ ...data, state: 'hidden' }, 2, 'hidden');
    await reply('It frees.');
    expect(await texts(data)).toEqual([['It jams.', 'It jams.', expect.anything()]]);
  });
});
