import { randomUUID } from 'node:crypto';
import type { ReceivedResponse } from '@lyceum/testing';
import { eventually } from '@lyceum/testing';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';
import { Consulting, newStudent } from './consulting.js';
import { withDatabase } from './database.js';
import { at } from './learner.js';
import { TestEvent } from './new-events.js';
import { PRODUCTS, created, newProduct } from './new-product.js';
import { TestSubscriptions } from './test-subscriptions.js';

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

/** Sends the event of auth that links the student to a person. */
async function link(student_id: string): Promise<void> {
  const path = `/api/v1/students/${student_id}`;
  const { email } = (await api.send<{ email: string }>('GET', path)).body;
  const [{ site_id }] = api.sites;
  const person = { person_id: randomUUID(), member_id: randomUUID(), student_id, email, name: 'Mei' };
  await api.events.sendRoles({ ...person, site_id, joined_at: at(0), roles: ['student'] }, 1);
  await eventually(
    () => api.send('GET', path),
    ({ body }) => body['member_id'] === person.member_id,
  );
}

it('keeps the ETag and updated_at of what a student got while the student is linked to a person', async () => {
  const subscriptions = new TestSubscriptions(api);
  const offer = await subscriptions.offer({}, 0);
  const { student_id } = offer;
  const consulting = await Consulting.open(api);
  const product = `${PRODUCTS}/${(await newProduct(api)).id}/purchases`;
  const purchase = await created(api, `${consulting.path}/purchases`, { student_id });
  const { id: slot_id } = await consulting.slot(100);
  const paths = [
    `${product}/${(await created(api, product, { student_id })).id}`,
    `${consulting.path}/purchases/${purchase.id}`,
    `/api/v1/slots/${slot_id}/bookings/${await consulting.booked(slot_id, purchase.id)}`,
    subscriptions.path(await subscriptions.start(offer)),
  ];
  const before = await Promise.all(paths.map((path) => api.send('GET', path)));
  await link(student_id);
  const ids = before.map(({ body }) => String(body['id']));
  const events = await api.events.of(ids, ids.length * 2);
  expect(events.filter(({ type }) => type.includes('.linked.'))).toHaveLength(ids.length);
  const seen = ({ headers, body }: ReceivedResponse) => [headers['etag'], body['updated_at']];
  const patched = async (path: string, index: number): Promise<number[]> => {
    const headers = { 'if-match': String(before[index]?.headers['etag']) };
    const patch = async (note: string) =>
      (await api.send('PATCH', path, { body: { metadata: { note } }, headers })).status;
    return [await patch('first'), await patch('second')];
  };
  for (const [index, path] of paths.entries()) {
    expect([path, ...seen(await api.send('GET', path))]).toEqual([path, ...seen(before[index] as ReceivedResponse)]);
    expect([path, ...(await patched(path, index))]).toEqual([path, 200, 412]);
  }
});

const updatedAt = ({ body }: ReceivedResponse): number => Date.parse(String(body['updated_at']));

it('moves updated_at and the ETag of a registration that shows the linked member', async () => {
  const [student_id, event] = [await newStudent(api), await TestEvent.open(api)];
  const path = `${event.path}/registrations/${(await event.registered(student_id)).id}`;
  const before = await api.send('GET', path);
  expect(before.body).toMatchObject({ member_id: null });
  await link(student_id);
  const after = await api.send('GET', path, { headers: { 'if-none-match': String(before.headers['etag']) } });
  expect([after.status, after.body]).toMatchObject([200, { member_id: expect.any(String) }]);
  expect(updatedAt(after)).toBeGreaterThan(updatedAt(before));
});

it('moves updated_at of a form submission that shows the linked member', async () => {
  const student_id = await newStudent(api);
  const id = await withDatabase(api.databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `with form as (
         insert into forms (site_id, slug, title, fields, active) values ($1, $2, 'Form', '[]', true) returning id
       )
       insert into form_submissions (site_id, form_id, student_id, answers, submitted_at)
       select $1, id, $3, '{}', now() from form returning id`,
      [api.sites[0].site_id, `form-${randomUUID()}`, student_id],
    );
    return rows[0]?.id ?? '';
  });
  const path = `/api/v1/form_submissions/${id}`;
  const before = await api.send('GET', path);
  expect(before.body).toMatchObject({ member_id: null });
  await link(student_id);
  const after = await api.send('GET', path);
  expect(after.body).toMatchObject({ member_id: expect.any(String) });
  expect(updatedAt(after)).toBeGreaterThan(updatedAt(before));
});
