import { uuidv7 } from '@lyceum/platform';
import { eventually } from '@lyceum/testing';
import pg from 'pg';
import { memberApi } from '#src/member-api.js';
import type { Kind } from '#src/notifications/kinds.policy.js';
import { startMemberApi } from './member-api.js';
import type { TestApi } from './member-api.js';
import { PurchaseWorld } from './purchase-world.js';

const FAR = '2090-07-03T10:00:00.000Z';

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
      const waits = `SELECT FROM pg_locks WHERE relation = 'events'::regclass AND mode LIKE '%ExclusiveLock'
        AND mode <> 'RowExclusiveLock' AND pid <> pg_backend_pid()`;
      await eventually(async () => (await database.query(waits)).rowCount === 1);
      await consumer.query('UPDATE events SET version = version');
      await consumer.query('COMMIT');
      await rebuilt;
      const { rows } = await database.query(`SELECT FROM events WHERE name = 'spoilt'`);
      expect(rows).toEqual([]);
    } finally {
      await consumer.end();
    }
  });
});
