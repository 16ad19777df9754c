import { runServiceCommand } from '@lyceum/local';
import { eventually, forgetEvents } from '@lyceum/testing';
import pg from 'pg';
import { graphql } from '../../clients/http.js';
import { OPEN_FAN_OUTS } from '../drill-school.js';
import type { FaultStack } from '../fault-stack.js';
import { type SharedFaultStack, TAKE_MS } from '../shared-stack.js';

const QUERY = `{ viewer { name schools { id } unreadNotificationCount
  enrolledCourses(first: 100) { nodes { slug name } } digitalProducts { nodes { slug name } }
  eventRegistrations { nodes { slug name } } } }`;

type Nodes = { readonly nodes: readonly object[] };

interface ApiResponse {
  readonly viewer: {
    readonly schools: readonly object[];
    readonly unreadNotificationCount: number;
  } & Record<'enrolledCourses' | 'digitalProducts' | 'eventRegistrations', Nodes>;
}

interface Rebuilt {
  readonly table: string;
  readonly whole: boolean;
  readonly next?: string;
}

/** Tables by read model. */
const READ_MODELS: Readonly<Record<string, readonly string[]>> = {
  schools: ['sites'],
  people: ['people', 'memberships'],
  'enrolled-courses': ['courses', 'enrollments'],
  'digital-products': ['digital_products', 'digital_product_grants'],
  'event-registrations': ['events', 'event_registrations'],
};
const TABLES = Object.values(READ_MODELS).flat();

export function republish(shared: SharedFaultStack): void {
  describe('wrong read models after the streams have dropped their oldest events', () => {
    let fault: FaultStack;
    let database: pg.Client;

    beforeAll(async () => {
      fault = await shared.take();
      database = new pg.Client({ connectionString: fault.stack.databaseUrl('learner') });
      await database.connect();
    }, TAKE_MS);

    afterAll(async () => {
      await database?.end();
    });

    const run = async <T>(service: 'auth' | 'admin-api' | 'member-api', ...args: string[]): Promise<T[]> => {
      const printed = await runServiceCommand(service, fault.stack.environment(service), ...args);
      const lines = printed.split('\n').filter((line) => line.startsWith('{'));
      return lines.map((line) => JSON.parse(line) as T);
    };

    /** All rows in the order of their text. `announced_at` is no part of the read model. */
    const rowsOf = async (): Promise<Record<string, object[]>> => {
      const found: Record<string, object[]> = {};
      for (const table of TABLES) {
        const { rows } = await database.query<{ row: object }>(
          `SELECT to_jsonb(t) - 'announced_at' AS row FROM ${table} t ORDER BY t::text`,
        );
        found[table] = rows.map(({ row }) => row);
      }
      return found;
    };

    it('rebuilds wrong read models completely from a republication, while they are served', async () => {
      const { stack, site } = fault;
      const token = await fault.memberToken();
      const query = async (): Promise<ApiResponse> => {
        const { body } = await graphql<ApiResponse>(site.base_url, token, QUERY);
        expect(body.errors).toBeUndefined();
        return body.data!;
      };
      const isComplete = ({ viewer }: ApiResponse): boolean =>
        viewer.schools.length === 1 &&
        viewer.enrolledCourses.nodes.length === 2 &&
        viewer.unreadNotificationCount > 1 &&
        viewer.digitalProducts.nodes.length === 1 &&
        viewer.eventRegistrations.nodes.length === 2;
      await eventually(query, isComplete);
      await eventually(
        () => fault.waitingEvents(),
        (count) => count === 0,
        120_000,
      );
      // A fan-out would add notifications meanwhile.
      await eventually(async () => {
        const { rows } = await database.query<{ open: number }>(`select ${OPEN_FAN_OUTS} as open`);
        return rows[0]?.open === 0;
      });
      // The clock of admin-api starts events that have begun.
      const school = new pg.Client({ connectionString: stack.databaseUrl('school') });
      await school.connect();
      await eventually(
        async () => {
          const { rowCount } = await school.query(
            `select from events where state = 'published' and starts_at <= now()`,
          );
          return (rowCount ?? 0) + (await fault.waitingEvents());
        },
        (waiting) => waiting === 0,
        120_000,
      );
      await school.end();
      const known = await query();
      const before = await rowsOf();
      for (const table of TABLES) expect([table, before[table]?.length]).not.toEqual([table, 0]);

      const password = stack.nats.userPassword('admin') ?? '';
      await forgetEvents({ url: stack.nats.url, user: 'admin', password }, ['IDENTITY', 'SCHOOL']);
      await database.query(`UPDATE courses SET name = 'spoilt' WHERE slug = 'celestial-navigation'`);
      await database.query(`UPDATE courses SET name = 'spoilt', version = 99 WHERE slug = 'knots-and-splices'`);
      await database.query(
        `INSERT INTO courses SELECT uuidv7(), site_id, 1, 'extra', 'Extra', NULL, state FROM courses LIMIT 1`,
      );
      await database.query('DELETE FROM enrollments');
      await database.query(`UPDATE people SET name = 'spoilt'`);
      await database.query(`UPDATE memberships SET roles = '{}', version = version + 5`);
      await database.query(`UPDATE sites SET name = 'spoilt'`);
      await database.query(`UPDATE digital_products SET state = 'deleted'`);
      await database.query('DELETE FROM digital_product_grants');
      await database.query('DELETE FROM events');
      await database.query('DELETE FROM event_registrations');

      const [people] = await run<Rebuilt>('member-api', 'rebuild', 'people');
      expect(people).toMatchObject({ table: 'people', whole: false });
      expect(people?.next).toContain('"republish person" at auth');

      for (const owner of ['auth', 'admin-api'] as const) {
        const sent = await run<{ complete?: boolean }>(owner, 'republish', 'all');
        expect(sent.filter(({ complete }) => complete === true).length).toBeGreaterThan(3);
      }
      for (const [copy, tables] of Object.entries(READ_MODELS)) {
        const rebuilt = await run<Rebuilt>('member-api', 'rebuild', copy);
        expect(rebuilt.filter(({ whole }) => whole).map(({ table }) => table)).toEqual(tables);
      }
      expect(await rowsOf()).toEqual(before);
      expect(await query()).toEqual(known);
    });

    it('leaves the stack as it was', () => expect(shared.giveBack()).resolves.toBeUndefined(), TAKE_MS);
  });
}
