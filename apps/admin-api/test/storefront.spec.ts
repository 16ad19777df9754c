import { randomUUID } from 'node:crypto';
import { SITES_BUCKET, recordOrder, recordProgress } from '@lyceum/contracts';
import { SiteDirectory } from '@lyceum/resource-server';
import { connectAs, eventually } from '@lyceum/testing';
import { Checkout } from './checkout.js';
import { withDatabase } from './database.js';
import { at, newLearner } from './learner.js';
import type { Learner } from './learner.js';
import { newCourse } from './new-course.js';
import { newLectures } from './new-lectures.js';
import { Storefront } from './storefront.js';
import type { Command } from './storefront.js';
import { toolCaller } from './tool-caller.js';
import type { Items } from './tool-caller.js';

const storefront = Storefront.ofFile();

const progressEvents = (lecture_id: string, count: number) =>
  storefront.api.events.matching(
    ({ type, data }) => type.startsWith('school.progress.') && data['lecture_id'] === lecture_id,
    count,
  );

it('records the position and the completion of an enrollment and publishes both', async () => {
  const learner = await newLearner(storefront.api);
  const command = storefront.watching(learner);
  const [lecture_id] = learner.lectures;
  expect(await storefront.result(command)).toEqual({
    enrollment_id: learner.enrollment_id,
    lecture_id,
    position_seconds: 61,
    watched_at: at(1),
    completion_rate: 0.5,
    completed_at: null,
  });
  const { body } = await storefront.api.send('GET', learner.path);
  expect(body).toMatchObject({
    completion_rate: 0.5,
    last_watched: { lecture_id, lecture_title: 'Lecture 1', position_seconds: 61, watched_at: at(1) },
  });
  const actor = { member_id: null, client_id: 'storefront', via: 'command', request_id: expect.any(String) };
  const [, progressed] = await storefront.api.events.of([learner.enrollment_id], 2);
  expect(progressed).toMatchObject({ type: 'school.enrollment.progressed.v1', actor, data: { completion_rate: 0.5 } });
  const [recorded] = await progressEvents(lecture_id, 1);
  expect(recorded).toMatchObject({
    type: 'school.progress.recorded.v1',
    actor,
    data: {
      student_id: learner.student_id,
      course_id: learner.course_id,
      lecture_title: 'Lecture 1',
      position_seconds: 61,
      watched_at: at(1),
      completed_at: at(1),
    },
  });
});

it('logs each event of a command once, by the program and the command', async () => {
  const learner = await newLearner(storefront.api);
  const command = storefront.watching(learner);
  await storefront.result(command);
  await storefront.result(command);
  const [recorded] = await progressEvents(learner.lectures[0], 1);
  const [, progressed] = await storefront.api.events.of([learner.enrollment_id], 2);
  const request_id = recorded?.actor.request_id;
  const actor = { member_id: null, name: null, client_id: 'storefront', via: 'command', request_id };
  const entries = [
    { id: progressed?.id, action: 'enrollment.progressed', object_id: learner.enrollment_id, actor },
    { id: recorded?.id, action: 'progress.recorded', object_id: recorded?.aggregate_id, actor },
  ];
  for (const { object_id, ...entry } of entries) {
    const { body } = await storefront.api.send<{ data: object[] }>(
      'GET',
      `/api/v1/activity?object_id=${object_id ?? ''}`,
    );
    expect(body.data.filter((one) => Reflect.get(one, 'action') === entry.action)).toMatchObject([entry]);
  }
  const { items } = await toolCaller(storefront.api).call<Items>(
    'list_activity',
    { action: 'progress.recorded', object_id: recorded?.aggregate_id },
    { scopes: ['school:read'] },
  );
  expect(items).toMatchObject([{ id: recorded?.id, actor }]);
});

it('runs a command once per key and refuses the key with other content', async () => {
  const learner = await newLearner(storefront.api);
  const command = storefront.watching(learner);
  const first = await storefront.result(command);
  const replies = await Promise.all([storefront.send(command), storefront.send(command)]);
  for (const reply of replies) expect(reply).toEqual({ ok: true, result: first });
  expect(await storefront.refusal({ ...command, position_seconds: 62 })).toBe('idempotency_key_reused');
  await storefront.result(storefront.watching(learner, { position_seconds: 90, occurred_at: at(2) }));
  const events = await progressEvents(learner.lectures[0], 2);
  expect(events.map(({ aggregate_version }) => aggregate_version)).toEqual([1, 2]);
});

it('runs twenty concurrent repetitions once', async () => {
  const learner = await newLearner(storefront.api);
  const command = storefront.watching(learner);
  const replies = await Promise.all(Array.from({ length: 20 }, () => storefront.send(command)));
  const codes = new Set(replies.map((reply) => (reply.ok ? 'ok' : reply.error.code)));
  expect([...codes].filter((code) => code !== 'ok' && code !== 'idempotency_in_progress')).toEqual([]);
  await storefront.result(command);
  expect(await progressEvents(learner.lectures[0], 1)).toHaveLength(1);
});

it('accepts the same key at two sites', async () => {
  const command = storefront.watching(await newLearner(storefront.api));
  await storefront.result(command);
  expect(await storefront.refusal({ ...command, site: storefront.api.sites[1].org_id })).toBe('not_found');
});

it('stores no refusal: the same key succeeds once the enrollment exists', async () => {
  const learner = await newLearner(storefront.api);
  const { id } = await newCourse(storefront.api);
  const [lecture = ''] = await newLectures(storefront.api, id, 1);
  const command = storefront.watching(learner, { course: { id }, lecture: { id: lecture } });
  expect(await storefront.refusal(command)).toBe('invalid_state');
  await storefront.api.send('POST', `/api/v1/students/${learner.student_id}/enrollments`, { body: { course_id: id } });
  expect(await storefront.result(command)).toMatchObject({ position_seconds: 61 });
});

it('finds the student and the course by the ids of the school and of the token', async () => {
  const learner = await newLearner(storefront.api);
  const [member_id, external_id] = [randomUUID(), randomUUID()];
  await withDatabase(storefront.api.databaseUrl, async (client) => {
    await client.query('update students set member_id = $1 where id = $2', [member_id, learner.student_id]);
  });
  await storefront.api.send('PATCH', `/api/v1/courses/${learner.course_id}`, { body: { external_id } });
  const { body } = await storefront.api.send('GET', `/api/v1/students/${learner.student_id}`);
  for (const student of [{ member_id }, { external_id: String(body['external_id']) }]) {
    expect(await storefront.result(storefront.watching(learner, { student, course: { external_id } }))).toMatchObject({
      enrollment_id: learner.enrollment_id,
    });
  }
});

it('publishes the progress again with the person when the student is linked', async () => {
  const learner = await newLearner(storefront.api);
  const command = storefront.watching(learner);
  await storefront.result(command);
  const { body } = await storefront.api.send('GET', `/api/v1/students/${learner.student_id}`);
  const [person_id, member_id] = [randomUUID(), randomUUID()];
  const [{ site_id }] = storefront.api.sites;
  const { student_id } = learner;
  const member = { person_id, member_id, email: String(body['email']), name: 'Mei', student_id };
  await storefront.api.events.sendRoles({ ...member, site_id, roles: ['student'], joined_at: at(0) }, 1);
  const [recorded, linked] = await progressEvents(learner.lectures[0], 2);
  expect(recorded).toMatchObject({ data: { person_id: null } });
  expect(linked).toMatchObject({ type: 'school.progress.linked.v1', aggregate_version: 2, data: { person_id } });
});

describe('a refusal', () => {
  let learner: Learner;
  beforeAll(async () => {
    learner = await newLearner(storefront.api);
  });

  it.each<[string, () => Partial<Command>]>([
    ['of a site that does not exist', () => ({ site: 'org_0' })],
    ['of a student of no site', () => ({ student: { id: randomUUID() } })],
    ['of a student by an unknown external id', () => ({ student: { external_id: randomUUID() } })],
    ['of a course of no site', () => ({ course: { id: randomUUID() } })],
    ['of a lecture of no site', () => ({ lecture: { id: randomUUID() } })],
    ['of a lecture by an unknown external id', () => ({ lecture: { external_id: randomUUID() } })],
    ['of the student and course of another site', () => ({ site: storefront.api.sites[1].org_id })],
  ])('returns not_found for a report %s', async (_what, given) => {
    expect(await storefront.refusal(storefront.watching(learner, given()))).toBe('not_found');
    const { body } = await storefront.api.send('GET', learner.path);
    expect(body).toMatchObject({ completion_rate: 0, last_watched: null });
  });

  it('refuses a lecture of another course and names the member', async () => {
    const [foreign = ''] = await newLectures(storefront.api, (await newCourse(storefront.api)).id, 1);
    const reply = await storefront.send(storefront.watching(learner, { lecture: { id: foreign } }));
    expect(reply).toMatchObject({ error: { code: 'not_found', errors: [{ pointer: '/lecture' }] } });
  });

  it('refuses a revoked, an expired and a pending enrollment', async () => {
    const revoked = await newLearner(storefront.api);
    await storefront.api.send('POST', `${revoked.path}/revoke`);
    expect(await storefront.refusal(storefront.watching(revoked))).toBe('invalid_state');

    const expired = await newLearner(storefront.api);
    const pending = await newLearner(storefront.api);
    await withDatabase(storefront.api.databaseUrl, async (client) => {
      const move = async ({ enrollment_id }: Learner, starts: string, ends: string, due: string): Promise<void> => {
        await client.query(
          `update access_grants set starts_at = now() + $2::interval, ends_at = now() + $3::interval
           where enrollment_id = $1`,
          [enrollment_id, starts, ends],
        );
        await client.query('update enrollments set changes_at = now() + $2::interval where id = $1', [
          enrollment_id,
          due,
        ]);
      };
      // The clock has not updated the row yet: the current time decides.
      await move(expired, '-2 days', '-1 second', '-1 second');
      await move(pending, '1 day', '2 days', '-1 second');
    });
    expect(await storefront.refusal(storefront.watching(expired))).toBe('invalid_state');
    expect(await storefront.refusal(storefront.watching(pending))).toBe('invalid_state');
  });

  it('refuses a time more than five minutes ahead of the clock', async () => {
    const ahead = (ms: number): string => new Date(Date.now() + ms).toISOString();
    const reply = await storefront.send(storefront.watching(learner, { occurred_at: ahead(6 * 60_000) }));
    expect(reply).toMatchObject({ error: { code: 'validation_failed', errors: [{ pointer: '/occurred_at' }] } });
    expect(await storefront.result(storefront.watching(learner, { occurred_at: ahead(4 * 60_000) }))).toMatchObject({
      position_seconds: 61,
    });
  });

  it.each<[string, string | Uint8Array, string]>([
    ['no JSON', '{', 'invalid_request'],
    ['no bytes', '', 'invalid_request'],
    ['bytes that are no text', Uint8Array.of(0xff, 0xfe, 0x22), 'invalid_request'],
    ['a list', '[]', 'validation_failed'],
    ['null', 'null', 'validation_failed'],
  ])('refuses a command with %s', async (_what, body, code) => {
    expect(await storefront.send(body)).toMatchObject({ ok: false, error: { code } });
  });

  it('refuses a malformed member and names it', async () => {
    const command = storefront.watching(learner, { position_seconds: -1 });
    expect(await storefront.send(command)).toMatchObject({
      error: { errors: [{ pointer: '/position_seconds', code: 'too_small' }] },
    });
  });
});

describe('a suspended site', () => {
  /** Writes the state of the first site into the directory, as auth does, and waits until the service has it. */
  async function move(state: 'active' | 'suspended'): Promise<void> {
    const { api } = storefront;
    const { site_id } = api.sites[0];
    const directory = api.service.app.get(SiteDirectory, { strict: false });
    const auth = await connectAs(api.nats.environment('admin'));
    auth.publish(`$KV.${SITES_BUCKET}.${site_id}`, JSON.stringify({ ...directory.byId(site_id), state }));
    await auth.drain();
    await eventually(
      () => directory.byId(site_id)?.state,
      (found) => found === state,
    );
  }

  it('gets no order and no progress, until it is reinstated', async () => {
    const learner = await newLearner(storefront.api);
    const checkout = await Checkout.open(storefront.api);
    const { id } = await checkout.newPlan();
    await checkout.close();
    const order = checkout.order(learner.student_id, [{ item_type: 'course_plan', item: { id } }]);
    const progress = storefront.watching(learner);
    await move('suspended');
    try {
      const unknown = ['not_found', '/site not_found'];
      expect(await storefront.refused(recordOrder, order)).toEqual(unknown);
      expect(await storefront.refused(recordProgress, progress)).toEqual(unknown);
    } finally {
      await move('active');
    }
    const orders = await storefront.api.send('GET', `/api/v1/orders?student_id=${learner.student_id}`);
    expect(orders.body['data']).toEqual([]);
    expect((await storefront.api.send('GET', learner.path)).body).toMatchObject({ last_watched: null });
    expect(await storefront.run(recordOrder, order)).toMatchObject({ state: 'paid' });
    expect(await storefront.run(recordProgress, progress)).toMatchObject({ position_seconds: 61 });
  });
});
