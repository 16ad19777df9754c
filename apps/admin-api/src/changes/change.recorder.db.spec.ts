import { randomUUID } from 'node:crypto';
import { SYSTEM_ACTOR } from '@lyceum/contracts';
import type { DomainEvent } from '@lyceum/contracts';
import { openDatabase } from '../../test/open-database.js';
import type { OpenDatabase } from '../../test/open-database.js';
import { ChangeRecorder } from './change.recorder.js';
import { ChangeRepository } from './change.repository.js';
import type { PublicEvent } from './public-event.js';
import type { PublicEventSubscriber } from './public-event-subscriber.js';

let database: OpenDatabase;
let changes: ChangeRepository;
beforeAll(async () => {
  database = await openDatabase();
  changes = new ChangeRepository(database.sql);
});
afterAll(() => database.close());

describe('a subscriber', () => {
  const deleted = (site_id: string, name = 'deleted'): DomainEvent => ({
    id: randomUUID(),
    type: `school.category.${name}.v1`,
    aggregate_id: randomUUID(),
    aggregate_version: 2,
    site_id,
    epoch: 1,
    actor: SYSTEM_ACTOR,
    occurred_at: '2026-11-20T08:00:00.123Z',
    data: { category_id: randomUUID(), slug: 'painting' },
  });
  const recordWith = (accept: PublicEventSubscriber['accept'], events: readonly DomainEvent[]): Promise<void> =>
    database.dataSource.transaction((tx) => new ChangeRecorder(changes, { accept }).record(events, tx));

  it('receives the public ones of the events in their transaction', async () => {
    const site_id = randomUUID();
    const event = deleted(site_id);
    const received: PublicEvent[] = [];
    const accept: PublicEventSubscriber['accept'] = async (tx, events) => {
      received.push(...events);
      expect(await tx.query('select 1 from changes where site_id = $1', [site_id])).toHaveLength(1);
    };
    await recordWith(accept, [deleted(site_id, 'republished'), event, deleted(site_id, 'updated')]);
    expect(received).toEqual([
      {
        id: event.id,
        site_id,
        type: 'category.deleted',
        object_id: Reflect.get(event.data as object, 'category_id'),
        occurred_at: new Date(event.occurred_at),
        data: { external_id: null, slug: 'painting' },
      },
    ]);
    await expect(recordWith(() => Promise.reject(new Error('full')), [deleted(site_id)])).rejects.toThrow('full');
    const recorded = await database.dataSource.query('select id from changes where site_id = $1', [site_id]);
    expect(recorded).toEqual([{ id: event.id }]);
  });

  it('receives nothing when no event is public', async () => {
    const accept = () => Promise.reject(new Error('called'));
    await expect(recordWith(accept, [deleted(randomUUID(), 'updated')])).resolves.toBeUndefined();
  });
});
