import { randomUUID } from 'node:crypto';
import { COMMENT_LIMITS, ERASED_NAME, erasedEmail, moderateComment, postComment } from '@lyceum/contracts';
import { CommentService } from '#src/comments/comment.service.js';
import { withDatabase } from './database.js';
import { at, newLearner } from './learner.js';
import type { Learner } from './learner.js';
import { newCourse } from './new-course.js';
import { newLectures } from './new-lectures.js';
import { Storefront } from './storefront.js';

const storefront = Storefront.ofFile();

type Body = Record<string, unknown>;

/** By default a comment on the first lecture. */
const commenting = ({ student_id, lectures }: Learner, given: object = {}): object => ({
  student: { id: student_id },
  commentable: { type: 'lecture', id: lectures[0] },
  body: 'Why does it hold?',
  occurred_at: at(1),
  ...given,
});

async function post(learner: Learner, given: object = {}): Promise<string> {
  return (await storefront.run(postComment, commenting(learner, given))).comment_id;
}

const moderate = async (id: string, action: string): Promise<string> =>
  (await storefront.run(moderateComment, { comment: { id }, action })).state;

const read = async (id: string): Promise<Body> => (await storefront.api.send('GET', `/api/v1/comments/${id}`)).body;
const listed = async (path: string): Promise<unknown[]> =>
  (await storefront.api.send<{ data: { id: string }[] }>('GET', path)).body.data.map(({ id }) => id);
const typesOf = async (id: string, count: number): Promise<unknown[]> =>
  (await storefront.api.events.of([id], count)).map(({ type, aggregate_version }) => [
    type.split('.')[2],
    aggregate_version,
  ]);

it('posts a comment on a lecture, publishes and logs it', async () => {
  const learner = await newLearner(storefront.api);
  const command = commenting(learner, { body: ' One\nTwo ' });
  const { comment_id, ...result } = await storefront.run(postComment, command);
  expect(result).toEqual({ state: 'visible', posted_at: at(1) });
  const comment = await read(comment_id);
  expect(comment).toMatchObject({
    id: comment_id,
    commentable_type: 'lecture',
    commentable_id: learner.lectures[0],
    course_id: learner.course_id,
    parent_id: null,
    student_id: learner.student_id,
    author_name: expect.any(String),
    body: 'One\nTwo',
    state: 'visible',
    replies_count: 0,
    posted_at: at(1),
  });
  const [event, ...others] = await storefront.api.events.of([comment_id], 1);
  const actor = { member_id: null, client_id: 'storefront', via: 'command' };
  const data = { excerpt: 'One Two', author_name: comment['author_name'], parent: null, state: 'visible' };
  expect([event, others]).toMatchObject([{ type: 'school.comment.created.v1', actor, data }, []]);
  expect(String(event?.data['path'])).toMatch(/^\/courses\/course-\d+$/);
  const { body } = await storefront.api.send('GET', `/api/v1/activity?object_id=${comment_id}`);
  expect(body['data']).toMatchObject([{ action: 'comment.created', actor }]);
});

it('posts once for a key', async () => {
  const command = { ...commenting(await newLearner(storefront.api)), idempotency_key: randomUUID() };
  const first = await storefront.run(postComment, command);
  expect(await storefront.run(postComment, command)).toEqual(first);
  expect(await storefront.refused(postComment, { ...command, body: 'Else' })).toEqual(['idempotency_key_reused']);
});

it('finds comments by their course and object, and replies by their comment', async () => {
  const learner = await newLearner(storefront.api);
  const { course_id, lectures } = learner;
  const first = await post(learner);
  const second = await post(learner, { commentable: { type: 'course', id: course_id } });
  const reply = await post(learner, { parent: { id: first } });
  expect(await listed(`/api/v1/comments?course_id=${course_id}`)).toEqual([reply, second, first]);
  expect(await listed(`/api/v1/comments?commentable_id=${lectures[0]}`)).toEqual([reply, first]);
  expect(await listed(`/api/v1/comments?commentable_id=${course_id}`)).toEqual([second]);
  expect(await listed(`/api/v1/comments/${first}/replies`)).toEqual([reply]);
  expect(await listed(`/api/v1/comments/${reply}/replies`)).toEqual([]);
  expect((await storefront.api.send('GET', `/api/v1/comments/${randomUUID()}/replies`)).status).toBe(404);
});

it('tells the author of a comment of replies, and counts them at the same time', async () => {
  const [learner, other] = [await newLearner(storefront.api), await newLearner(storefront.api)];
  const person_id = randomUUID();
  await withDatabase(storefront.api.databaseUrl, async (client) => {
    await client.query('update students set person_id = $1 where id = $2', [person_id, learner.student_id]);
  });
  const parent = await post(learner);
  const { headers } = await storefront.api.send('GET', `/api/v1/comments/${parent}`);
  const answer = { student: { id: other.student_id }, parent: { id: parent } };
  const replies = await Promise.all(Array.from({ length: 5 }, () => post(learner, answer)));
  expect(await read(parent)).toMatchObject({ replies_count: 5 });
  expect((await storefront.api.send('GET', `/api/v1/comments/${parent}`)).headers['etag']).not.toBe(headers['etag']);
  const [event] = await storefront.api.events.of([String(replies[0])], 1);
  expect(event?.data).toMatchObject({
    parent: { comment_id: parent, author_person_id: person_id },
    author_person_id: null,
  });
  expect(await typesOf(parent, 1)).toEqual([['created', 1]]);
});

it('approves and hides a comment, each once', async () => {
  const id = await post(await newLearner(storefront.api), { state: 'pending' });
  const states = [];
  for (const action of ['approve', 'approve', 'hide', 'hide', 'approve']) states.push(await moderate(id, action));
  expect(states).toEqual(['visible', 'visible', 'hidden', 'hidden', 'visible']);
  expect(await typesOf(id, 4)).toEqual([
    ['created', 1],
    ['approved', 2],
    ['hidden', 3],
    ['approved', 4],
  ]);
  expect(await read(id)).toMatchObject({ state: 'visible' });
});

it('deletes a comment with its replies, and their names and texts from the events', async () => {
  const learner = await newLearner(storefront.api);
  const parent = await post(learner);
  const [one, two] = [await post(learner, { parent: { id: parent } }), await post(learner, { parent: { id: parent } })];
  expect(await moderate(one, 'delete')).toBe('deleted');
  expect(await read(parent)).toMatchObject({ replies_count: 1 });
  expect(await moderate(parent, 'delete')).toBe('deleted');
  expect(await storefront.refused(moderateComment, { comment: { id: parent }, action: 'delete' })).toEqual([
    'not_found',
  ]);
  for (const id of [parent, one, two]) {
    expect((await storefront.api.send('GET', `/api/v1/comments/${id}`)).status).toBe(404);
    const [, deleted] = await storefront.api.events.of([id], 2);
    expect(deleted).toMatchObject({
      type: 'school.comment.deleted.v1',
      aggregate_version: 2,
      data: { state: 'deleted', author_name: ERASED_NAME, excerpt: '' },
    });
    expect(await erasedBefore(id)).toBe(2);
  }
});

/** The version before which the events of an aggregate are deleted. */
async function erasedBefore(id: string): Promise<unknown> {
  return withDatabase(storefront.api.databaseUrl, async (client) => {
    const text = 'select version::int from event_erasures where aggregate_id = $1';
    return (await client.query<{ version: number }>(text, [id])).rows[0]?.version;
  });
}

it('keeps a lecture and a course with comments', async () => {
  const learner = await newLearner(storefront.api);
  const { id: course_id } = await newCourse(storefront.api);
  const [lecture = ''] = await newLectures(storefront.api, course_id, 1);
  const id = await post(learner, { commentable: { type: 'lecture', id: lecture } });
  const deletion = (path: string) => storefront.api.send('DELETE', `/api/v1/${path}`);
  for (const path of [`lectures/${lecture}`, `courses/${course_id}`]) {
    expect((await deletion(path)).body).toMatchObject({ status: 409, code: 'resource_in_use' });
  }
  await moderate(id, 'delete');
  for (const path of [`lectures/${lecture}`, `courses/${course_id}`]) expect((await deletion(path)).status).toBe(204);
});

it('posts comments and replies on a post, which owners and admins see', async () => {
  const learner = await newLearner(storefront.api);
  const person_id = randomUUID();
  await withDatabase(storefront.api.databaseUrl, async (client) => {
    await client.query('update students set person_id = $1 where id = $2', [person_id, learner.student_id]);
  });
  const external_id = `post-${randomUUID()}`;
  const body = { slug: external_id, title: 'Tides', external_id };
  const { body: made } = await storefront.api.send('POST', '/api/v1/posts', { body });
  const first = await post(learner, { commentable: { type: 'post', id: made['id'] } });
  const reply = await post(learner, { commentable: { type: 'post', external_id }, parent: { id: first } });
  expect(await listed(`/api/v1/comments?commentable_id=${String(made['id'])}`)).toEqual([reply, first]);
  expect(await read(first)).toMatchObject({ commentable_type: 'post', course_id: null, replies_count: 1 });
  const [event] = await storefront.api.events.of([reply], 1);
  expect(event?.data).toMatchObject({
    commentable: { type: 'post', id: made['id'] },
    course_id: null,
    parent: { author_person_id: person_id },
    path: `/posts/${external_id}`,
  });
  const comments = storefront.api.service.app.get(CommentService, { strict: false });
  const { site_id } = storefront.api.sites[0];
  const teacher = { site_id, roles: ['lecturer' as const], member_id: randomUUID() };
  expect((await comments.get({ site_id, roles: ['admin'] }, first)).id).toBe(first);
  await expect(comments.get(teacher, first)).rejects.toMatchObject({ code: 'not_found' });
  const path = `/api/v1/posts/${String(made['id'])}`;
  expect((await storefront.api.send('DELETE', path)).body).toMatchObject({ status: 409, code: 'resource_in_use' });
  expect(await moderate(first, 'delete')).toBe('deleted');
  expect((await storefront.api.send('DELETE', path)).status).toBe(204);
});

it('publishes the comments of a student with the person, and without the name once the member was removed', async () => {
  const learner = await newLearner(storefront.api);
  const { student_id } = learner;
  const id = await post(learner);
  const { body } = await storefront.api.send('GET', `/api/v1/students/${student_id}`);
  const [person_id, member_id] = [randomUUID(), randomUUID()];
  const [{ site_id }] = storefront.api.sites;
  const member = { person_id, member_id, email: String(body['email']), name: 'Mei', student_id };
  await storefront.api.events.sendRoles({ ...member, site_id, roles: ['student'], joined_at: at(0) }, 1);
  await storefront.api.events.of([id], 2);
  const erased = { ...member, email: erasedEmail(member_id), name: ERASED_NAME };
  await storefront.api.events.sendRoles({ ...erased, site_id, roles: [], joined_at: at(0) }, 2);
  const events = await storefront.api.events.of([id], 3);
  expect(events.map(({ type, data }) => [type.split('.')[2], data['author_person_id']])).toEqual([
    ['created', null],
    ['linked', person_id],
    ['erased', null],
  ]);
  expect(events[2]?.data).toMatchObject({ author_name: ERASED_NAME });
  expect(await erasedBefore(id)).toBe(3);
  expect(await read(id)).toMatchObject({ author_name: ERASED_NAME, body: 'Why does it hold?' });
});

describe('a refusal', () => {
  let learner: Learner;
  let comment: string;
  beforeAll(async () => {
    learner = await newLearner(storefront.api);
    comment = await post(learner);
  });

  it.each<[string, () => object, readonly string[]]>([
    ['a site that does not exist', () => ({ site: 'org_0' }), ['not_found', '/site not_found']],
    ['another site', () => ({ site: storefront.api.sites[1].org_id }), ['not_found']],
    ['an unknown student', () => ({ student: { id: randomUUID() } }), ['not_found']],
    ['an unknown lecture', () => ({ commentable: { type: 'lecture', external_id: 'none' } }), ['not_found']],
    ['a lecture as a course', () => ({ commentable: { type: 'course', id: learner.lectures[0] } }), ['not_found']],
    ['an unknown post', () => ({ commentable: { type: 'post', id: randomUUID() } }), ['not_found']],
    ['an unknown comment', () => ({ parent: { id: randomUUID() } }), ['not_found', '/parent not_found']],
    [
      'a comment on another lecture',
      () => ({ parent: { id: comment }, commentable: { type: 'lecture', id: learner.lectures[1] } }),
      ['not_found', '/parent not_found'],
    ],
    [
      'an instant of the future',
      () => ({ occurred_at: new Date(Date.now() + 6 * 60_000).toISOString() }),
      ['validation_failed', '/occurred_at too_large'],
    ],
    ['no text', () => ({ body: ' ' }), ['validation_failed', '/body too_small']],
    ['too much text', () => ({ body: 'x'.repeat(COMMENT_LIMITS.body + 1) }), ['validation_failed', '/body too_large']],
  ])('names %s', async (_what, given, refusal) => {
    expect(await storefront.refused(postComment, commenting(learner, given()))).toEqual(refusal);
    expect(await listed(`/api/v1/comments?course_id=${learner.course_id}`)).toEqual([comment]);
  });

  it('names an unknown comment of a moderator', async () => {
    const command = { comment: { id: randomUUID() }, action: 'approve' };
    expect(await storefront.refused(moderateComment, command)).toEqual(['not_found']);
  });

  it('accepts no comment of a removed student', async () => {
    const gone = await newLearner(storefront.api);
    await withDatabase(storefront.api.databaseUrl, async (client) => {
      await client.query(`update students set state = 'removed' where id = $1`, [gone.student_id]);
    });
    expect(await storefront.refused(postComment, commenting(gone))).toEqual(['invalid_state']);
  });
});
