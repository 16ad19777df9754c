import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import * as contracts from '@lyceum/contracts';
import type { EntityEvents } from '@lyceum/contracts';
import { EnrollmentService } from '#src/enrollments/enrollment.service.js';
import { republicationsOf } from '@lyceum/collections';
import { collections } from '#src/collections.js';
import { republishCommand } from '#src/republication/republish.command.js';
import { DataSource } from 'typeorm';
import { eventually } from '@lyceum/testing';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { declare } from './declare.js';
import { newCourse } from './new-course.js';
import { PRODUCTS, created, newProduct } from './new-product.js';
import { TestEvent } from './new-events.js';
import { publishedCourse } from './tool-caller.js';

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
  const [{ site_id }] = api.sites;
  await declare(api, {
    sites: [
      {
        site_id,
        appearance: { theme: { accent_color: '#7a1f1f' } },
      },
    ],
  });
  const { id: course_id } = await publishedCourse(api);
  const student = await api.send<{ id: string }>('POST', '/api/v1/students', { body: { email: 'mei@example.com' } });
  const event = await TestEvent.open(api);
  await event.registered(student.body.id);
  await api.send('POST', `/api/v1/students/${student.body.id}/enrollments`, { body: { course_id } });
  const product = await newProduct(api);
  await created(api, `${PRODUCTS}/${product.id}/purchases`, { student_id: student.body.id });
  await created(api, '/api/v1/posts', { title: 'Tides', slug: 'tides' });
  await created(api, '/api/v1/announcements', { title: 'Closed on Monday' });
  await newCourse(api, {}, api.sites[1]);
});
afterAll(() => api.stop());

const row = async (path: string): Promise<{ id: string }> => {
  const [found] = (await api.send<{ data: { id: string }[] }>('GET', path)).body.data;
  if (found === undefined) throw new Error(`${path} has nothing`);
  return found;
};

const NIL = '00000000-0000-0000-0000-000000000000';

/** Waits until another transaction waits for a lock of this one. */
async function untilLocked(client: pg.Client): Promise<void> {
  const text = 'select 1 from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))';
  await eventually(async () => (await client.query(text)).rowCount);
}

describe('republish', () => {
  it('sends every entity of this context that has rows', () => {
    const all: unknown[] = Object.values(contracts);
    const entities = all.filter(
      (one): one is EntityEvents => typeof one === 'object' && one !== null && 'entity' in one && 'names' in one,
    );
    const sent = republicationsOf(collections, api.service.app).map(({ events }) => events.entity);
    expect(sent.length).toBeGreaterThan(4);
    const owed = entities.filter(({ context }) => context === 'school').map(({ entity }) => entity);
    expect(sent.toSorted()).toEqual(owed.toSorted());
  });

  it('publishes the current state of every site with the same versions', async () => {
    const student = await row('/api/v1/students');
    const product = await row(PRODUCTS);
    const { id: event } = await row('/api/v1/events');
    const ids = [
      (await row('/api/v1/courses')).id,
      student.id,
      (await row(`/api/v1/students/${student.id}/enrollments`)).id,
      product.id,
      (await row(`${PRODUCTS}/${product.id}/purchases`)).id,
      event,
      (await row(`/api/v1/events/${event}/registrations`)).id,
      (await row('/api/v1/posts')).id,
      (await row('/api/v1/announcements')).id,
      api.sites[0].site_id,
    ];
    await republishCommand.run(api.config, ['all']);
    const sent = await api.events.named('republished', ids.length + 1);
    expect(sent).toHaveLength(ids.length + 1);
    for (const id of ids) {
      const [before, again] = (await api.events.of([id], 2)).slice(-2);
      expect(again).toMatchObject({ aggregate_version: before?.aggregate_version, site_id: before?.site_id });
      // A welcome mail is sent once.
      const welcome = id === student.id ? { send_welcome_email: false } : {};
      expect(again?.data).toEqual({ ...before?.data, ...welcome });
    }
    const courses = sent.filter(({ type }) => type === 'school.course.republished.v1');
    expect(new Set(courses.map(({ site_id }) => site_id))).toEqual(new Set(api.sites.map(({ site_id }) => site_id)));
  });

  it('lists the known entities when it gets another one', async () => {
    await expect(republishCommand.run(api.config, ['exam'])).rejects.toThrow(/course, .*student, enrollment/);
  });

  it('publishes an enrollment with the person that was linked while it waited for the row', async () => {
    const { id: student } = await row('/api/v1/students');
    const { id } = await row(`/api/v1/students/${student}/enrollments`);
    const person_id = randomUUID();
    const enrollments = api.service.app.get(EnrollmentService, { strict: false }).republication();
    const batch = await withDatabase(api.databaseUrl, async (client) => {
      await client.query('begin');
      await client.query('update students set person_id = $1 where id = $2', [person_id, student]);
      await client.query('update enrollments set version = version + 1 where id = $1', [id]);
      const sending = api.service.app.get(DataSource).transaction((tx) => enrollments.batch(tx, [NIL, NIL], 10));
      await untilLocked(client);
      await client.query('commit');
      return sending;
    });
    expect(batch.map(({ event }) => event)).toMatchObject([{ aggregate_version: 2, data: { person_id } }]);
  });
});
