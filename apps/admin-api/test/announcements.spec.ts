import { announcementDeliveryEvents, announcementEvents } from '@lyceum/contracts';
import { eventually } from '@lyceum/testing';
import { AnnouncementService } from '#src/announcements/announcement.service.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { newCourse } from './new-course.js';
import { newMembershipPlan } from './new-membership-plan.js';

const ANNOUNCEMENTS = '/api/v1/announcements';
const FUTURE = '2090-01-01T00:00:00.000Z';

type Body = Record<string, unknown>;

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

async function draft(body: Body = {}): Promise<string> {
  const made = await api.send('POST', ANNOUNCEMENTS, { body: { title: 'Closed on Monday', ...body } });
  expect(made.status).toBe(201);
  return `${ANNOUNCEMENTS}/${String(made.body['id'])}`;
}
const idOf = (path: string): string => path.split('/').at(-1) ?? '';
const act = (path: string, action: string) => api.send('POST', `${path}/${action}`);
const patch = (path: string, body: Body) => api.send('PATCH', path, { body });
const names = async (path: string, count: number): Promise<unknown[]> =>
  (await api.events.of([idOf(path)], count)).map(({ type }) => type.split('.')[2]);
const pointers = ({ body }: { readonly body: Body }): unknown =>
  (body['errors'] as { pointer: string; code: string }[]).map(({ pointer, code }) => `${pointer} ${code}`);

async function publishedCourse(): Promise<string> {
  const { id } = await newCourse(api);
  expect((await api.send('POST', `/api/v1/courses/${id}/publish`)).status).toBe(200);
  return id;
}

/** Lets the times of announcements come. */
const comes = (...paths: string[]) =>
  withDatabase(api.databaseUrl, (client) =>
    client.query(`update announcements set sends_at = now() - interval '1 second' where id = any($1)`, [
      paths.map(idOf),
    ]),
  );
const followClock = (service = api.service): Promise<number> =>
  service.app.get(AnnouncementService, { strict: false }).followClock(100);

it('sends an announcement at once and once, with the data that members are notified of', async () => {
  const course_id = await publishedCourse();
  const path = await draft({ course_id, purpose: 'marketing', body: 'It is a holiday.', path: '/news' });
  const sent = await act(path, 'send');
  expect(sent.body).toMatchObject({ state: 'sent', sent_at: expect.any(String) });
  expect((await act(path, 'send')).body).toEqual(sent.body);
  expect(await names(path, 2)).toEqual(['created', 'sent']);
  const [, event] = await api.events.of([idOf(path)], 2);
  expect(announcementEvents.data.parse(event?.data)).toEqual({
    announcement_id: idOf(path),
    site_id: api.sites[0].site_id,
    external_id: null,
    course_id,
    membership_plan_id: null,
    purpose: 'marketing',
    title: 'Closed on Monday',
    body: 'It is a holiday.',
    path: '/news',
    state: 'sent',
    sent_at: sent.body['sent_at'],
    recipients_count: null,
  });
  for (const refused of [await patch(path, { title: 'A' }), await api.send('DELETE', path)])
    expect(refused.body).toMatchObject({ code: 'invalid_state' });
  expect((await api.send('DELETE', `/api/v1/courses/${course_id}`)).body).toMatchObject({ code: 'resource_in_use' });
});

it('sends scheduled announcements at their times, once with several replicas', async () => {
  const paths = await Promise.all(Array.from({ length: 5 }, () => draft({ sends_at: FUTURE })));
  const [first = '', unscheduled = '', ...others] = paths;
  for (const path of paths) expect((await act(path, 'schedule')).body).toMatchObject({ state: 'scheduled' });
  await act(unscheduled, 'unschedule');
  const later = await draft({ sends_at: FUTURE });
  await act(later, 'schedule');
  await comes(...paths);
  const replica = await api.replica();
  await Promise.all([followClock(), followClock(replica), followClock()]);
  expect(await followClock()).toBe(0);
  for (const path of [first, ...others]) {
    expect(await names(path, 3)).toEqual(['created', 'scheduled', 'sent']);
    expect((await api.send('GET', path)).body).toMatchObject({ state: 'sent', sent_at: expect.any(String) });
  }
  expect(await names(unscheduled, 3)).toEqual(['created', 'scheduled', 'unscheduled']);
  expect((await api.send('GET', later)).body).toMatchObject({ state: 'scheduled', sent_at: null });
});

describe('an announcement to a course that is a draft', () => {
  it.each(['send', 'schedule'])('refuses %s until the course is published', async (action) => {
    const { id: course_id } = await newCourse(api);
    const path = await draft({ course_id, sends_at: FUTURE });
    const refused = await act(path, action);
    expect([refused.status, refused.body['code'], pointers(refused)]).toEqual([
      409,
      'invalid_state',
      ['/course_id invalid_state'],
    ]);
    expect(refused.body['hint']).toBe('Publish the course first');
    expect((await api.send('GET', path)).body).toMatchObject({ state: 'draft' });
    await api.send('POST', `/api/v1/courses/${course_id}/publish`);
    expect((await act(path, action)).status).toBe(200);
  });

  it('waits at its time for the publication of the course', async () => {
    const course_id = await publishedCourse();
    const path = await draft({ course_id, sends_at: FUTURE });
    await act(path, 'schedule');
    const { id: another } = await newCourse(api);
    expect((await patch(path, { course_id: another })).status).toBe(200);
    await comes(path);
    expect(await followClock()).toBe(0);
    expect((await api.send('GET', path)).body).toMatchObject({ state: 'scheduled' });
    await api.send('POST', `/api/v1/courses/${another}/publish`);
    expect(await followClock()).toBe(1);
    expect((await api.send('GET', path)).body).toMatchObject({ state: 'sent' });
  });
});

it('keeps the time of a scheduled announcement in the future', async () => {
  const path = await draft();
  expect(pointers(await act(path, 'schedule'))).toEqual(['/sends_at too_small']);
  await patch(path, { sends_at: FUTURE });
  await act(path, 'schedule');
  expect(pointers(await patch(path, { sends_at: null }))).toEqual(['/sends_at too_small']);
  const moved = '2091-01-01T00:00:00.000Z';
  expect((await patch(path, { sends_at: moved })).body).toMatchObject({ state: 'scheduled', sends_at: moved });
});

it.each(['https://elsewhere.example/', '//elsewhere.example', '/\\elsewhere.example', 'news', '/a b'])(
  'refuses %j as the path of a link',
  async (path) => {
    const { status, body } = await api.send('POST', ANNOUNCEMENTS, { body: { title: 'A', path } });
    expect([status, pointers({ body })]).toEqual([422, [expect.stringMatching(/^\/path /)]]);
  },
);

describe('the number of people whom an announcement reached', () => {
  const deliver = (path: string, recipients_count: number, site = api.sites[0]) =>
    api.events.publish(announcementDeliveryEvents, 'completed', {
      aggregate_id: idOf(path),
      site_id: site.site_id,
      data: {
        announcement_id: idOf(path),
        site_id: site.site_id,
        recipients_count,
        completed_at: '2026-11-20T08:00:00.000Z',
      },
    });
  const counted = (path: string) =>
    eventually(
      () => api.send('GET', path),
      ({ body }) => body['recipients_count'] !== null,
    );

  it('stands in the list when the members have it, with another entity tag', async () => {
    const path = await draft();
    expect((await act(path, 'send')).body).toMatchObject({ state: 'sent', recipients_count: null });
    const before = await api.send('GET', path);
    await api.replica();
    await deliver(path, 1_201);
    const after = await counted(path);
    expect(after.body).toEqual({ ...before.body, recipients_count: 1_201 });
    expect(after.headers['etag']).not.toBe(before.headers['etag']);
    const headers = { 'if-none-match': String(before.headers['etag']) };
    expect((await api.send('GET', path, { headers })).status).toBe(200);
    const { body } = await api.send<{ data: Body[] }>('GET', `${ANNOUNCEMENTS}?state=sent&limit=100`);
    expect(body.data.find(({ id }) => id === idOf(path))).toMatchObject({ recipients_count: 1_201 });
  });

  it('ignores the number of another site, and of an announcement that is not sent', async () => {
    const [sent, unsent, last] = [await draft(), await draft(), await draft()];
    for (const path of [sent, last]) await act(path, 'send');
    await deliver(sent, 7, api.sites[1]);
    await deliver(unsent, 7);
    await deliver(last, 0);
    expect((await counted(last)).body).toMatchObject({ recipients_count: 0 });
    for (const path of [sent, unsent])
      expect((await api.send('GET', path)).body).toMatchObject({ recipients_count: null });
  });

  it('refuses the number in a request', async () => {
    const { status, body } = await api.send('POST', ANNOUNCEMENTS, { body: { title: 'A', recipients_count: 9 } });
    expect([status, pointers({ body })]).toEqual([422, ['/recipients_count unknown_member']]);
  });
});

describe('an announcement to a membership plan', () => {
  it('goes with the plan, and not with a course beside it', async () => {
    const [{ id: plan }, course] = [await newMembershipPlan(api), (await newCourse(api)).id];
    const path = await draft({ membership_plan_id: plan });
    const both = await patch(path, { course_id: course });
    expect([both.status, pointers(both)]).toEqual([422, ['/membership_plan_id invalid_value']]);
    expect((await patch(path, { course_id: course, membership_plan_id: null })).status).toBe(200);
    expect((await patch(path, { course_id: null, membership_plan_id: plan })).status).toBe(200);
    const made = await api.send('POST', ANNOUNCEMENTS, {
      body: { title: 'Both', course_id: course, membership_plan_id: plan },
    });
    expect([made.status, pointers(made)]).toEqual([422, ['/membership_plan_id invalid_value']]);
    expect((await act(path, 'send')).status).toBe(200);
    const sent = (await api.events.of([idOf(path)], 4)).at(-1);
    expect(sent).toMatchObject({ data: { state: 'sent', course_id: null, membership_plan_id: plan } });
  });

  it('refuses a draft, an unknown plan and one of another site', async () => {
    const plans = [
      (await newMembershipPlan(api, { state: 'draft' })).id,
      '019ab3c0-0000-7000-8000-000000000000',
      (await newMembershipPlan(api, {}, api.sites[1])).id,
    ];
    for (const membership_plan_id of plans) {
      const refused = await api.send('POST', ANNOUNCEMENTS, { body: { title: 'No', membership_plan_id } });
      expect([refused.status, pointers(refused)]).toEqual([422, ['/membership_plan_id not_found']]);
    }
  });
});
