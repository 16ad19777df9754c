import { z } from 'zod';
import type { DemoEvent } from './demo-events.js';
import type { OperatorApi } from './operator-api.js';

const EVENTS = '/api/v1/events';

const event = z.object({ id: z.uuid(), state: z.string(), published_at: z.string().nullable() });
const events = z.object({ data: z.array(event) });
const list = z.object({ data: z.array(z.unknown()) });

/** Creates and publishes an event with its tickets, unless that was done. Needs the currency of the school. */
export async function importEvent(
  api: OperatorApi,
  { external_id, event: declared, tickets }: DemoEvent,
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
  if (state === 'draft' && published_at === null) await api.send('POST', `${EVENTS}/${id}/publish`);
}
