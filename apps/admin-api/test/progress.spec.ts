import { randomUUID } from 'node:crypto';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { at, newLearner } from './learner.js';
import { newCourse } from './new-course.js';

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

describe('POST /students/{id}/progress', () => {
  it('records progress on the enrollment as the command does, and returns newer progress with 200', async () => {
    const learner = await newLearner(api);
    const path = `/api/v1/students/${learner.student_id}/progress`;
    const step = { course_id: learner.course_id, lecture_id: randomUUID(), position_seconds: 5, watched_at: at(1) };
    const body = { ...step, completion_rate: 1 };
    const made = await api.send('POST', path, { body });
    expect([made.status, made.body]).toMatchObject([201, { ...step, enrollment_id: learner.enrollment_id }]);
    const older = await api.send('POST', path, { body: { ...body, position_seconds: 1, watched_at: at(0) } });
    expect([older.status, older.body]).toEqual([200, made.body]);
    expect((await api.send('GET', learner.path)).body).toMatchObject({ completion_rate: 1, completed_at: at(1) });
  });

  it('requires an active enrollment and hides students of other sites', async () => {
    const learner = await newLearner(api);
    const { id: course_id } = await newCourse(api);
    const body = { course_id, lecture_id: randomUUID(), position_seconds: 5, watched_at: at(1), completion_rate: null };
    const path = `/api/v1/students/${learner.student_id}/progress`;
    expect((await api.send('POST', path, { body })).body['code']).toBe('invalid_state');
    const site = api.sites[1];
    expect((await api.send('POST', path, { body: { ...body, course_id: learner.course_id }, site })).status).toBe(404);
    expect((await api.send('GET', path, { site })).status).toBe(404);
  });
});
