import { randomUUID } from 'node:crypto';
import { eventually } from '@lyceum/testing';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';

let api: TestApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

const address = (): string => `${randomUUID()}@example.com`;
const add = async (email: string): Promise<string> =>
  String((await api.send('POST', '/api/v1/students', { body: { email } })).body['id']);
const emailOf = async (id: string): Promise<unknown> => (await api.send('GET', `/api/v1/students/${id}`)).body['email'];

/** Publishes the address of a member, as auth does after a change. */
function member() {
  const [person_id, member_id] = [randomUUID(), randomUUID()];
  const { site_id } = api.sites[0];
  const roles = ['student' as const];
  const rest = { site_id, person_id, member_id, name: 'Mei Lin', roles, joined_at: '2026-11-20T08:00:00.000Z' };
  return (email: string, version: number) => api.events.sendRoles({ ...rest, email }, version);
}

it('follows the address of a person, and keeps the former one while another student has the new one', async () => {
  const [first, taken, free] = [address(), address(), address()];
  const [id, other] = [await add(first), await add(taken)];
  const publish = member();
  await publish(first, 1);
  await eventually(
    async () => (await api.send('GET', `/api/v1/students/${id}`)).body['member_id'],
    (member_id) => member_id !== null,
  );
  await publish(taken, 2);
  const filter = `/api/v1/members?email=${encodeURIComponent(taken)}`;
  await eventually(
    async () => (await api.send<{ data: unknown[] }>('GET', filter)).body.data,
    (found) => found.length === 1,
  );
  expect([await emailOf(id), await emailOf(other)]).toEqual([first, taken]);
  await publish(free, 3);
  await eventually(
    () => emailOf(id),
    (email) => email === free,
  );
  expect(await emailOf(other)).toBe(taken);
});
