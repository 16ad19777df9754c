import { consultingBookingEvents, eventType } from '@lyceum/contracts';
import { eventually, testDatabase } from '@lyceum/testing';
import type { TestDatabase } from '@lyceum/testing';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { ConsultingServicesConsumer } from '#src/consulting-services/consulting-services.consumer.js';
import { ConsultingServicesRepository } from '#src/consulting-services/consulting-services.repository.js';
import type { BookingEvent } from '#src/consulting-services/consulting-services.repository.js';
import type { FanOut } from '#src/fan-outs/fan-out.js';
import type { FanOutsService } from '#src/fan-outs/fan-outs.service.js';
import { uuid } from './model/numbers.js';

let database: TestDatabase;
let source: DataSource;

beforeAll(async () => {
  database = await testDatabase('learner');
  source = await new DataSource({ type: 'postgres', url: database.url }).initialize();
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

const BOOKING = {
  booking_id: uuid(1, 1),
  site_id: uuid(1, 2),
  person_id: uuid(1, 3),
  purchase_id: uuid(1, 4),
  consulting_service_id: uuid(1, 5),
  slot_id: uuid(1, 6),
  starts_at: '2090-07-03T10:00:00.000Z',
  ends_at: '2090-07-03T11:00:00.000Z',
  join_url: null,
} as const;

function booking(version: number, name: 'booked' | 'canceled', state: 'scheduled' | 'canceled'): BookingEvent {
  const occurred_at = new Date().toISOString();
  const place = { aggregate_id: BOOKING.booking_id, aggregate_version: version, epoch: 1, occurred_at };
  return { type: eventType(consultingBookingEvents, name), ...place, data: { ...BOOKING, state } } as BookingEvent;
}

it('notifies of the second state when another replica has not committed the first one', async () => {
  const kinds: string[] = [];
  const enqueue = async (_tx: EntityManager, { kind }: FanOut): Promise<void> => void kinds.push(kind);
  const fanOuts = { enqueue } as unknown as FanOutsService;
  const consumer = new ConsultingServicesConsumer(new ConsultingServicesRepository(), fanOuts);
  const first = source.createQueryRunner();
  await first.startTransaction();
  await consumer.applyBookings([booking(1, 'booked', 'scheduled')], first.manager);
  const second = source.transaction((tx) => consumer.applyBookings([booking(2, 'canceled', 'canceled')], tx));
  const blocked = `select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`;
  await eventually(async () => (await source.query<unknown[]>(blocked)).length > 0);
  await first.commitTransaction();
  await first.release();
  await second;
  expect(kinds).toEqual(['booking_confirmed', 'booking_canceled']);
});
