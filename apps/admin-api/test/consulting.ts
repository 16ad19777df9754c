import { randomUUID } from 'node:crypto';
import type { TestApi } from './admin-api.js';
import { withDatabase } from './database.js';
import { unique } from './new-course.js';

type Body = Record<string, unknown>;

const HOUR_MS = 3_600_000;

/** Returns the instant this many hours from now. */
export const hoursAhead = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

/** A consulting service of the first site, with slots, purchases and bookings. */
export class Consulting {
  private constructor(
    private readonly api: TestApi,
    readonly service_id: string,
  ) {}

  static async open(api: TestApi, body: Body = {}): Promise<Consulting> {
    const given = { slug: unique('service'), name: 'Portfolio review', sessions_included: 3, ...body };
    const { id } = await create(api, '/api/v1/consulting_services', given);
    return new Consulting(api, id);
  }

  get path(): string {
    return `/api/v1/consulting_services/${this.service_id}`;
  }

  /** Creates a slot of one hour that starts this many hours from now. */
  slot(hours: number, body: Body = {}): Promise<Body & { id: string }> {
    const times = { starts_at: hoursAhead(hours), ends_at: hoursAhead(hours + 1) };
    return create(this.api, `${this.path}/slots`, { ...times, ...body });
  }

  async purchase(body: Body = {}): Promise<Body & { id: string; student_id: string }> {
    const student_id = await newStudent(this.api);
    const made = await create(this.api, `${this.path}/purchases`, { ...body, student_id });
    return { ...made, student_id };
  }

  /** Inserts purchases of new students with one statement. */
  async purchases(count: number, sessions_total = 3): Promise<string[]> {
    return withDatabase(this.api.databaseUrl, async (client) => {
      const { rows } = await client.query<{ id: string }>(
        `with students as (
           insert into students (site_id, email, name) select $1, $2 || n || '@example.com', 'Mei Lin'
           from generate_series(1, $3::int) n returning id
         )
         insert into consulting_purchases (site_id, consulting_service_id, student_id, sessions_total)
         select $1, $4, id, $5 from students returning id`,
        [this.api.sites[0].site_id, unique('bought'), count, this.service_id, sessions_total],
      );
      return rows.map(({ id }) => id);
    });
  }

  book(slot_id: string, purchase_id: string) {
    return this.api.send('POST', `/api/v1/slots/${slot_id}/bookings`, { body: { purchase_id } });
  }

  async booked(slot_id: string, purchase_id: string): Promise<string> {
    const { status, body, text } = await this.book(slot_id, purchase_id);
    if (status !== 201) throw new Error(text);
    return String(body['id']);
  }

  act(slot_id: string, booking_id: string, action: string, body?: Body) {
    const path = `/api/v1/slots/${slot_id}/bookings/${booking_id}/${action}`;
    return this.api.send('POST', path, body === undefined ? {} : { body });
  }

  async readSlot(id: string): Promise<Body> {
    return (await this.api.send('GET', `${this.path}/slots/${id}`)).body;
  }

  async readPurchase(id: string): Promise<Body> {
    return (await this.api.send('GET', `${this.path}/purchases/${id}`)).body;
  }
}

export async function newStudent(api: TestApi): Promise<string> {
  const external_id = unique('student');
  return (await create(api, '/api/v1/students', { email: `${external_id}@example.com`, external_id })).id;
}

/** Inserts a lecturer of the first site, who is a member. */
export async function newLecturer(api: TestApi): Promise<{ id: string; member_id: string }> {
  const member_id = randomUUID();
  const id = await withDatabase(api.databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into lecturers (site_id, slug, name, member_id) values ($1, $2, 'Mei Lin', $3) returning id`,
      [api.sites[0].site_id, unique('lecturer'), member_id],
    );
    return rows[0]?.id ?? '';
  });
  return { id, member_id };
}

async function create(api: TestApi, path: string, body: Body): Promise<Body & { id: string }> {
  const response = await api.send<Body & { id: string }>('POST', path, { body });
  if (response.status !== 201) throw new Error(`${path}: ${response.text}`);
  return response.body;
}
