import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { at, newLearner } from './learner.js';
import { newCourse } from './new-course.js';
import { newLectures } from './new-lectures.js';

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

describe('POST /students/{id}/progress', () => {
  it('records progress on the enrollment as the command does, and returns newer progress with 200', async () => {
    const learner = await newLearner(api);
    const path = `/api/v1/students/${learner.student_id}/progress`;
    const [lecture_id, other] = learner.lectures;
    const body = { course_id: learner.course_id, lecture_id, position_seconds: 5, watched_at: at(1), completed: true };
    const made = await api.send('POST', path, { body });
    const { enrollment_id } = learner;
    expect([made.status, made.body]).toMatchObject([
      201,
      { ...body, enrollment_id, lecture_title: 'Lecture 1', completed_at: at(1) },
    ]);
    const older = { ...body, position_seconds: 1, watched_at: at(0), completed: false };
    const unchanged = await api.send('POST', path, { body: older });
    expect([unchanged.status, unchanged.body]).toEqual([200, made.body]);
    expect((await api.send('GET', learner.path)).body).toMatchObject({ completion_rate: 0.5, completed_at: null });
    await api.send('POST', path, { body: { ...body, lecture_id: other } });
    expect((await api.send('GET', learner.path)).body).toMatchObject({ completion_rate: 1, completed_at: at(1) });
  });

  it('finds by updated_at what a player that was offline records late', async () => {
    const learner = await newLearner(api);
    const path = `/api/v1/students/${learner.student_id}/progress`;
    const [lecture_id, late] = learner.lectures;
    const record = { course_id: learner.course_id, position_seconds: 5 };
    const { body } = await api.send('POST', path, { body: { ...record, lecture_id, watched_at: at(5) } });
    const made = await api.send('POST', path, { body: { ...record, lecture_id: late, watched_at: at(1) } });
    const listed = async (query: string) =>
      (await api.send<{ data: { id: string }[] }>('GET', `${path}?${query}`)).body.data.map(({ id }) => id);
    expect(await listed(`updated_at[gt]=${String(body['updated_at'])}`)).toEqual([made.body['id']]);
    expect(await listed('sort=updated_at')).toEqual([body['id'], made.body['id']]);
    expect(await listed('sort=watched_at')).toEqual([made.body['id'], body['id']]);
  });

  it('lists those who have begun, and those who have not', async () => {
    const learner = await newLearner(api);
    const { body } = await api.send('POST', '/api/v1/students', { body: { email: `${randomUUID()}@example.com` } });
    const enrolled = await api.send('POST', '/api/v1/enrollments', {
      body: { student_id: body['id'], course_id: learner.course_id },
    });
    const listed = async (has_begun: boolean, query = '') => {
      const path = `/api/v1/enrollments?course_id=${learner.course_id}&has_begun=${has_begun}&include_total=true${query}`;
      const page = await api.send<{ data: { id: string }[]; page: { total_count: number } }>('GET', path);
      expect(page.body.page.total_count).toBe(page.body.data.length);
      return page.body.data.map(({ id }) => id);
    };
    const [first, second] = [learner.enrollment_id, String(enrolled.body['id'])];
    expect([await listed(true), await listed(false)]).toEqual([[], [second, first]]);
    const [lecture_id] = learner.lectures;
    const record = { course_id: learner.course_id, lecture_id, position_seconds: 0, watched_at: at(1) };
    await api.send('POST', `/api/v1/students/${learner.student_id}/progress`, { body: record });
    expect([await listed(true), await listed(false)]).toEqual([[first], [second]]);
    expect(await listed(true, `&student_id=${String(body['id'])}`)).toEqual([]);
    expect((await api.send('GET', '/api/v1/enrollments?has_begun=2')).status).toBe(400);
  });

  it('refuses a lecture that the course does not have, and members of the curriculum', async () => {
    const learner = await newLearner(api);
    const [foreign = ''] = await newLectures(api, (await newCourse(api)).id, 1);
    const path = `/api/v1/students/${learner.student_id}/progress`;
    const body = { course_id: learner.course_id, position_seconds: 5, watched_at: at(1) };
    for (const lecture_id of [foreign, randomUUID()]) {
      expect(await api.send('POST', path, { body: { ...body, lecture_id } })).toMatchObject({
        status: 422,
        body: { code: 'validation_failed', errors: [{ pointer: '/lecture_id', code: 'not_found' }] },
      });
    }
    const [lecture_id] = learner.lectures;
    const given = { ...body, lecture_id, lecture_title: 'Mine', completion_rate: 1 };
    const { body: refused } = await api.send('POST', path, { body: given });
    expect(refused).toMatchObject({ errors: [{ pointer: '/lecture_title' }, { pointer: '/completion_rate' }] });
    expect((await api.send('GET', path)).body).toMatchObject({ data: [] });
  });

  it('keeps a lecture or its first progress, not both, when one deletes and one records', async () => {
    const learner = await newLearner(api);
    const path = `/api/v1/students/${learner.student_id}/progress`;
    const lectures = await newLectures(api, learner.course_id, 8);
    const outcomes = await Promise.all(
      lectures.map(async (lecture_id, index) => {
        const body = { course_id: learner.course_id, lecture_id, position_seconds: 1, watched_at: at(index) };
        const both = [api.send('POST', path, { body }), api.send('DELETE', `/api/v1/lectures/${lecture_id}`)];
        return (await Promise.all(both)).map(({ status }) => status).join(' ');
      }),
    );
    expect(outcomes.filter((outcome) => !['201 409', '422 204'].includes(outcome))).toEqual([]);
  });

  it.each(['expire', 'revoke'])(
    'takes after the %s of access what was watched before it, and nothing else',
    async (end) => {
      const learner = await newLearner(api);
      const { body } = await api.send('GET', learner.path);
      expect((await api.send('POST', `${learner.path}/${end}`)).status).toBe(200);
      const [lecture_id] = learner.lectures;
      const record = (watched_at: string) =>
        api.send('POST', `/api/v1/students/${learner.student_id}/progress`, {
          body: { course_id: learner.course_id, lecture_id, position_seconds: 5, watched_at, completed: true },
        });
      for (const watched_at of [at(1), new Date().toISOString()])
        expect((await record(watched_at)).body['code']).toBe('invalid_state');
      expect((await record(String(body['started_at']))).status).toBe(201);
      const state = end === 'expire' ? 'expired' : 'revoked';
      expect((await api.send('GET', learner.path)).body).toMatchObject({ state, completion_rate: 0.5 });
    },
  );

  it('requires an active enrollment and hides students of other sites', async () => {
    const learner = await newLearner(api);
    const { id: course_id } = await newCourse(api);
    const [lecture_id] = await newLectures(api, course_id, 1);
    const body = { course_id, lecture_id, position_seconds: 5, watched_at: at(1) };
    const path = `/api/v1/students/${learner.student_id}/progress`;
    expect((await api.send('POST', path, { body })).body['code']).toBe('invalid_state');
    const site = api.sites[1];
    expect((await api.send('POST', path, { body: { ...body, course_id: learner.course_id }, site })).status).toBe(404);
    expect((await api.send('GET', path, { site })).status).toBe(404);
  });
});
