import { uuidv7 } from '@lyceum/platform';
import { connectAs, eventually } from '@lyceum/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import pg from 'pg';
import { memberApi } from '#src/member-api.js';
import type { Kind } from '#src/notifications/kinds.policy.js';
import { startMemberApi } from './member-api.js';
import type { TestApi } from './member-api.js';
import { PurchaseWorld } from './purchase-world.js';
import { lecture, section } from './world.js';

const FAR = '2090-07-03T10:00:00.000Z';
const LATER = '2090-07-04T10:00:00.000Z';

/** A transaction waits for the lock that blocks the writers of the table. */
const WAITS = `SELECT FROM pg_locks WHERE relation = 'events'::regclass AND mode LIKE '%ExclusiveLock'
  AND mode <> 'RowExclusiveLock' AND NOT granted`;
/** A rebuild has given up that lock. */
const GAVE_WAY = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle' AND query = 'ROLLBACK'`;

let api: TestApi;
let world: PurchaseWorld;
let database: pg.Client;
let site_id: string;

beforeAll(async () => {
  api = await startMemberApi();
  world = new PurchaseWorld(api.world);
  database = await api.connect();
  [{ site_id }] = api.sites;
});
afterAll(() => api.stop());

const rebuild = (name: string) => memberApi.commands?.['rebuild']?.run(api.config, [name]);

/** Publishes an event of now by read model. Returns the kind of the notification that it causes. */
const IN_FLIGHT: Readonly<Record<string, (person_id: string) => Promise<Kind>>> = {
  'event-registrations': async (person_id) => {
    const { event_id } = await world.event({ site_id, starts_at: FAR, ends_at: FAR });
    await world.registration({ site_id, person_id, event_id, registered_at: new Date().toISOString() });
    return 'registration_confirmed';
  },
  'consulting-services': async (person_id) => {
    const { consulting_service_id } = await world.service({ site_id });
    const given = { site_id, person_id, consulting_service_id };
    const { purchase_id } = await world.purchase(given);
    await world.booking({ ...given, purchase_id, starts_at: FAR, ends_at: FAR });
    return 'booking_confirmed';
  },
  'digital-products': async (person_id) => {
    const { digital_product_id } = await world.product({ site_id });
    const granted_at = new Date().toISOString();
    await world.grant({ site_id, person_id, digital_product_id, granted_at });
    return 'product_granted';
  },
};

describe('rebuild while events arrive', () => {
  it.each(Object.keys(IN_FLIGHT))('announces %s whose row it wrote before their consumer', async (readModel) => {
    const inbox = new pg.Client({ connectionString: api.databaseUrl });
    await inbox.connect();
    try {
      // Consumers wait, because they record each event there first.
      await inbox.query('BEGIN');
      await inbox.query('LOCK TABLE inbox IN SHARE MODE');
      const person_id = uuidv7();
      const kind = await IN_FLIGHT[readModel]!(person_id);
      await rebuild(readModel);
      const told = 'SELECT kind FROM notifications WHERE person_id = $1';
      expect((await database.query(told, [person_id])).rows).toEqual([]);
      await inbox.query('COMMIT');
      expect(
        await eventually(
          async () => (await database.query(told, [person_id])).rows,
          (rows) => rows.length > 0,
        ),
      ).toEqual([{ kind }]);
    } finally {
      await inbox.end();
    }
  });

  /** Moves an event with a registration while the holder's lock keeps the consumer from it. */
  async function moved(lock: string, move: (change: () => Promise<unknown>) => Promise<void>): Promise<unknown> {
    const { event_id } = await world.event({ site_id, starts_at: FAR, ends_at: FAR });
    const person_id = uuidv7();
    await world.registration({ site_id, person_id, event_id });
    const known = 'SELECT FROM events JOIN event_registrations USING (event_id) WHERE event_id = $1';
    await eventually(async () => (await database.query(known, [event_id])).rowCount === 1);
    const holder = new pg.Client({ connectionString: api.databaseUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(lock);
      await move(() => world.event({ event_id, site_id, starts_at: LATER, ends_at: LATER }, { version: 2 }));
    } finally {
      await holder.end();
    }
    const changes = `SELECT occasion FROM fan_outs WHERE kind = 'event_changed' AND audience_id = $1`;
    return eventually(async () => (await database.query(changes, [event_id])).rows[0]);
  }

  it('lets a consumer compare an event that arrived before it with the state before', async () => {
    const rebuilt: unknown[] = [];
    // Consumers wait, because they record each event there first.
    const change = await moved('LOCK TABLE inbox IN SHARE MODE', async (publish) => {
      await publish();
      const run = { ended: false };
      rebuilt.push(rebuild('event-registrations')?.finally(() => (run.ended = true)));
      await eventually(async () => run.ended || (await database.query(GAVE_WAY)).rows.length > 0);
    });
    await Promise.all(rebuilt);
    expect(change).toEqual({ occasion: expect.stringMatching(/^event_changed:/) });
  });

  it('lets a consumer compare an event that arrives while it waits for the table with the state before', async () => {
    const rebuilt: unknown[] = [];
    const change = await moved('SELECT FROM events FOR UPDATE', async (publish) => {
      rebuilt.push(rebuild('event-registrations'));
      await eventually(async () => (await database.query(WAITS)).rowCount === 1);
      await publish();
      // The consumer is behind the rebuild.
      const queued = `SELECT FROM pg_locks WHERE relation = 'events'::regclass AND NOT granted`;
      await eventually(async () => (await database.query(queued)).rowCount === 2);
    });
    await Promise.all(rebuilt);
    expect(change).toEqual({ occasion: expect.stringMatching(/^event_changed:/) });
  });

  it('waits for a consumer that has locked a row before it writes, without a deadlock', async () => {
    const consumer = new pg.Client({ connectionString: api.databaseUrl });
    await consumer.connect();
    try {
      const { event_id } = await world.event({ site_id });
      const arrived = 'SELECT FROM events WHERE event_id = $1';
      await eventually(async () => (await database.query(arrived, [event_id])).rowCount === 1);
      await database.query(`UPDATE events SET name = 'spoilt'`);
      await consumer.query('BEGIN');
      await consumer.query('SELECT FROM events FOR UPDATE');
      const rebuilt = rebuild('event-registrations');
      await eventually(async () => (await database.query(WAITS)).rowCount === 1);
      await consumer.query('UPDATE events SET version = version');
      await consumer.query('COMMIT');
      await rebuilt;
      const { rows } = await database.query(`SELECT FROM events WHERE name = 'spoilt'`);
      expect(rows).toEqual([]);
    } finally {
      await consumer.end();
    }
  });

  it('keeps a curriculum while the stream has a part of the next version alone, which completes it', async () => {
    const { course_id } = await api.world.course({ site_id });
    const publish = (version: number, index: number, count: number) => {
      const sections = [section([lecture(`v${version}-${index}`)])];
      return api.world.curriculum({ site_id, course_id, sections, piece: { index, count } }, { version });
    };
    const stored = async () =>
      (
        await database.query<{ version: number; sections: unknown[]; pieces: unknown }>(
          'SELECT version, sections, pieces FROM curricula WHERE course_id = $1',
          [course_id],
        )
      ).rows[0];
    await publish(1, 0, 1);
    await eventually(async () => (await stored())?.version === 1);
    const admin = await connectAs(api.nats.environment('admin'));
    await (await jetstreamManager(admin)).streams.purge('SCHOOL');
    await admin.close();
    await publish(2, 0, 2);
    await eventually(async () => (await stored())?.pieces);
    const before = await stored();
    await rebuild('curricula');
    expect(await stored()).toEqual(before);
    await publish(2, 1, 2);
    await eventually(async () => (await stored())?.version === 2);
    const joined = await stored();
    expect(joined?.sections).toHaveLength(2);
    await rebuild('curricula');
    expect(await stored()).toEqual(joined);
  });
});
