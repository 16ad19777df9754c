import type { TestSite } from '@lyceum/testing';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { unique } from './new-course.js';

type Body = Record<string, unknown>;

/** A row of `events`, with its tickets. */
interface EventRow extends Body {
  readonly tickets?: readonly { readonly name: string; readonly price: { amount_minor: number; currency: string } }[];
}

/** Inserts events, also published ones of the past, which the operator API does not make. */
export async function insertEvents(api: TestApi, site: TestSite, rows: readonly EventRow[]): Promise<void> {
  await withDatabase(api.databaseUrl, async (client) => {
    for (const { tickets = [], ...given } of rows) {
      const row = { timezone: 'UTC', ...given };
      const columns = Object.keys(row);
      const { rows: made } = await client.query<{ id: string }>(
        `insert into events (site_id, ${columns.join(', ')})
         values ($1, ${columns.map((_column, index) => `$${index + 2}`).join(', ')}) returning id`,
        [site.site_id, ...Object.values(row)],
      );
      for (const [index, { name, price }] of tickets.entries()) {
        await client.query(
          `insert into event_tickets (site_id, event_id, name, price_amount_minor, price_currency, position)
           values ($1, $2, $3, $4, $5, $6)`,
          [site.site_id, made[0]?.id, name, price.amount_minor, price.currency, index + 1],
        );
      }
    }
  });
}

const HOUR_MS = 3_600_000;

/** Returns the instant this many hours from now. */
const hoursAhead = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

/** An event of the first site, with tickets and registrations. */
export class TestEvent {
  private constructor(
    private readonly api: TestApi,
    readonly id: string,
  ) {}

  /** Creates an event of one hour, and publishes it. By default it starts after 100 hours. */
  static async open(
    api: TestApi,
    { hours = 100, ...body }: Body & { readonly hours?: number } = {},
  ): Promise<TestEvent> {
    const event = await TestEvent.draft(api, { hours, ...body });
    await event.act('publish');
    return event;
  }

  static async draft(api: TestApi, { hours = 100, ...body }: Body & { readonly hours?: number }): Promise<TestEvent> {
    const times = { starts_at: hoursAhead(hours), ends_at: hoursAhead(hours + 1) };
    const given = { slug: unique('event'), name: 'Open evening', hosting_type: 'in_person', ...times, ...body };
    const made = await api.send<{ id: string }>('POST', '/api/v1/events', { body: given });
    if (made.status !== 201) throw new Error(made.text);
    return new TestEvent(api, made.body.id);
  }

  get path(): string {
    return `/api/v1/events/${this.id}`;
  }

  async read(): Promise<Body> {
    return (await this.api.send('GET', this.path)).body;
  }

  patch(body: Body) {
    return this.api.send('PATCH', this.path, { body });
  }

  act(action: string) {
    return this.api.send('POST', `${this.path}/${action}`);
  }

  async ticket(body: Body = {}): Promise<string> {
    const given = { name: 'Seat', price: { amount_minor: 0, currency: 'TWD' }, ...body };
    const made = await this.api.send<{ id: string }>('POST', `${this.path}/tickets`, { body: given });
    if (made.status !== 201) throw new Error(made.text);
    return made.body.id;
  }

  async readTicket(id: string): Promise<Body> {
    return (await this.api.send('GET', `${this.path}/tickets/${id}`)).body;
  }

  register(student_id: string, body: Body = {}) {
    return this.api.send('POST', `${this.path}/registrations`, { body: { student_id, ...body } });
  }

  async registered(student_id: string, body: Body = {}): Promise<Body & { id: string }> {
    const response = await this.register(student_id, body);
    if (response.status !== 201) throw new Error(response.text);
    return response.body as Body & { id: string };
  }

  move(id: string, action: string) {
    return this.api.send('POST', `${this.path}/registrations/${id}/${action}`);
  }

  /** The states of the registrations, the oldest first. */
  async states(): Promise<unknown[]> {
    const path = `${this.path}/registrations?limit=100&sort=created_at`;
    const { body } = await this.api.send<{ data: Body[] }>('GET', path);
    return body.data.map(({ state }) => state);
  }
}

/** The pointers and codes of a refusal. */
export const pointers = ({ body }: { readonly body: Body }): unknown =>
  (body['errors'] as { pointer: string; code: string }[]).map(({ pointer, code }) => `${pointer} ${code}`);

/** Inserts students with one statement. */
export async function newStudents(api: TestApi, count: number): Promise<string[]> {
  return withDatabase(api.databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into students (site_id, email, name) select $1, $2 || n || '@example.com', 'Mei Lin'
       from generate_series(1, $3::int) n returning id`,
      [api.sites[0].site_id, unique('guest'), count],
    );
    return rows.map(({ id }) => id);
  });
}
