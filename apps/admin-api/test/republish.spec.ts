import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import * as contracts from '@lyceum/contracts';
import type { EntityEvents } from '@lyceum/contracts';
import { EnrollmentService } from '#src/enrollments/enrollment.service.js';
import { republicationsOf } from '@lyceum/collections';
import { collections } from '#src/collections.js';
import { republishCommand } from '#src/republication/republish.command.js';
import { DataSource } from 'typeorm';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { declare } from './declare.js';
import { newCourse } from './new-course.js';
import { publishedCourse } from './tool-caller.js';

/**
 * Entities of this context without rows. The change that adds a table republishes the entity and
 * removes it from this list.
 */
const NOT_KEPT_YET = [
  'announcement',
  'comment',
  'consulting_meeting',
  'consulting_purchase',
  'consulting_service',
  'digital_product_grant',
  'event_registration',
  'post',
  'subscription',
];

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
  const times = { starts_at: '2035-01-01T10:00:00Z', ends_at: '2035-01-01T11:00:00Z' };
  const [{ site_id }] = api.sites;
  await declare(api, {
    sites: [
      {
        site_id,
        appearance: { theme: { accent_color: '#7a1f1f' } },
        digital_products: [
          { slug: 'pack', name: 'Pack', state: 'published', price: { amount_minor: 1, currency: 'EUR' } },
        ],
        events: [{ slug: 'day', name: 'Day', state: 'published', hosting_type: 'zoom', ...times }],
      },
    ],
  });
  const { id: course_id } = await publishedCourse(api);
  const student = await api.send<{ id: string }>('POST', '/api/v1/students', { body: { email: 'mei@example.com' } });
  await api.send('POST', `/api/v1/students/${student.body.id}/enrollments`, { body: { course_id } });
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
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const { rowCount } = await client.query(
      'select 1 from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))',
    );
    if (rowCount !== 0) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('No transaction waits');
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
    expect([...sent, ...NOT_KEPT_YET].toSorted()).toEqual(owed.toSorted());
  });

  it('publishes the current state of every site with the same versions', async () => {
    const student = await row('/api/v1/students');
    const ids = [
      (await row('/api/v1/courses')).id,
      student.id,
      (await row(`/api/v1/students/${student.id}/enrollments`)).id,
      (await row('/api/v1/digital_products')).id,
      (await row('/api/v1/events')).id,
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
    await expect(republishCommand.run(api.config, ['post'])).rejects.toThrow(/course, .*student, enrollment/);
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
