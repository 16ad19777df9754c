import { z } from 'zod';
import type { DemoEvent } from './demo-events.js';
import type { OperatorApi } from './operator-api.js';
import { present } from './present.js';

const API = '/api/v1';
const EVENTS = `${API}/events`;

const event = z.object({ id: z.uuid(), state: z.string(), published_at: z.string().nullable() });
const events = z.object({ data: z.array(event) });
const list = z.object({ data: z.array(z.unknown()) });
const object = z.object({ id: z.uuid() });
const objects = z.object({ data: z.array(object) });
const registrations = z.object({ data: z.array(z.object({ student_id: z.uuid() })) });

/**
 * Creates and publishes an event with its tickets, and records who came, unless that was done. Needs the currency of
 * the school and its students.
 */
export async function importEvent(
  api: OperatorApi,
  { external_id, event: declared, tickets, attended = [] }: DemoEvent,
): Promise<void> {
  const known = events.parse((await api.send('GET', `${EVENTS}?external_id=${external_id}`)).body);
  const create = async (): Promise<z.output<typeof event>> =>
    event.parse((await api.send('PUT', `${EVENTS}/by_external_id/${external_id}`, { body: declared })).body);
  const { id, state, published_at } = known.data[0] ?? (await create());
  for (const ticket of tickets) {
    const path = `${EVENTS}/${id}/tickets`;
    const { data } = list.parse((await api.send('GET', `${path}?external_id=${ticket.external_id}`)).body);
    if (data.length === 0) await api.send('POST', path, { body: ticket });
  }
  // An operator may have unpublished it since.
  const isNew = state === 'draft' && published_at === null;
  if (isNew) await api.send('POST', `${EVENTS}/${id}/publish`);
  if (attended.length === 0 || !(isNew || state === 'live')) return;
  const registered = `${EVENTS}/${id}/registrations`;
  const before = known.data.length === 0 ? [] : await studentsOf(api, registered);
  await Promise.all(attended.map((student) => checkIn(api, registered, student, before)));
}

async function studentsOf(api: OperatorApi, path: string): Promise<readonly string[]> {
  const { data } = registrations.parse((await api.send('GET', `${path}?limit=100`)).body);
  return data.map(({ student_id }) => student_id);
}

/** Registers a student who has no registration, and records that the student came. */
async function checkIn(api: OperatorApi, path: string, student: string, known: readonly string[]): Promise<void> {
  const [found] = objects.parse((await api.send('GET', `${API}/students?external_id=${student}`)).body).data;
  const student_id = present(found?.id, student);
  if (known.includes(student_id)) return;
  const { id } = object.parse((await api.send('POST', path, { body: { student_id } })).body);
  await api.send('POST', `${path}/${id}/check_in`);
}
