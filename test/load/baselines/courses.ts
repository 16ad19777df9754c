import { hash, randomUUID } from 'node:crypto';
import fastify, { type FastifyRequest } from 'fastify';
import pg from 'pg';
import { serve } from './serve.ts';
import { type Caller, type Introspection, TokenCheck } from './token-check.ts';

/**
 * The minimal server for three operations of the operator API on a database of its kind: a bare Fastify that checks the
 * token, prepared statements written by hand, and one transaction for a new course. It validates nothing, limits
 * nothing and publishes nothing.
 */
export interface CoursesConfiguration {
  readonly databaseUrl: string;
  readonly poolSize: number;
  readonly introspection: Introspection;
}

interface Row {
  readonly id: string;
  readonly site_id: string;
  readonly slug: string;
  readonly name: string;
  readonly subtitle: string | null;
  readonly image_url: string | null;
  readonly image_file_id: string | null;
  readonly course_type: string;
  readonly state: string;
  readonly featured: boolean;
  readonly hidden: boolean;
  readonly tags: readonly string[];
  readonly seo_title: string | null;
  readonly seo_description: string | null;
  readonly external_id: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly lecturer_ids: readonly string[];
  readonly category_ids: readonly string[];
  readonly published_at: Date | null;
  readonly enrollments_count: number;
  readonly rating_average: number | null;
  readonly reviews_count: number;
  readonly duration_seconds: number;
  readonly version: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly description_html: string | null;
}

interface NewCourse {
  readonly slug: string;
  readonly name: string;
  readonly subtitle: string;
  readonly tags: readonly string[];
}

const SUMMARY = `site_id, id, slug, name, subtitle, image_url, course_type, state, featured, hidden, tags, seo_title,
  seo_description, external_id, metadata, published_at, enrollments_count, rating_average, reviews_count, duration_seconds,
  version, created_at, updated_at`;
const REFERENCES = `
  (select u.file_id from file_uses u where u.site_id = courses.site_id and u.course_id = courses.id) as image_file_id,
  array(select lecturer_id from course_lecturers cl
    where cl.site_id = courses.site_id and cl.course_id = courses.id order by cl.position) as lecturer_ids,
  array(select category_id from course_categories cc
    where cc.site_id = courses.site_id and cc.course_id = courses.id order by cc.position) as category_ids`;

const GET = {
  name: 'get',
  text: `select ${SUMMARY}, ${REFERENCES}, description_html from courses where site_id = $1 and id = $2`,
};
const LIST = {
  name: 'list',
  text: `select ${SUMMARY}, ${REFERENCES} from courses where site_id = $1 order by created_at desc, id desc limit $2`,
};
const INSERT_COURSE = {
  name: 'insert_course',
  text: `insert into courses (site_id, slug, name, subtitle, tags) values ($1, $2, $3, $4, $5)
         returning ${SUMMARY}, null::uuid as image_file_id, '{}'::uuid[] as lecturer_ids, '{}'::uuid[] as category_ids, description_html`,
};
const INSERT_EVENT = {
  name: 'insert_event',
  text: `insert into outbox (id, channel, subject, aggregate_id, payload, trace) values ($1, 'event', $2, $3, $4, $5)`,
};
const INSERT_ACTIVITY = {
  name: 'insert_activity',
  text: `insert into activity (site_id, id, action, object_type, object_id, member_id, client_id, via, request_id,
                               changed_fields, created_at)
         values ($1, $2, 'course.created', 'course', $3, $4, $5, 'rest', $6, '{}', $7)`,
};
const INSERT_KEY = {
  name: 'insert_key',
  text: 'insert into idempotency_keys (id, site_id, request_hash, answer) values ($1, $2, $3, $4)',
};
/** The stored response for callers without the read scope. */
const OPEN = Object.fromEntries(
  'name slug subtitle description_html image_url image_file_id course_type featured hidden tags seo'
    .split(' ')
    .map((member) => [member, true]),
);
const SUBJECT = 'school.course.created.v1';

serve<CoursesConfiguration>(async ({ databaseUrl, poolSize, introspection }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  const tokens = new TokenCheck(introspection);
  const app = fastify();
  const callerOf = ({ headers }: FastifyRequest, scope: string): Promise<Caller | undefined> =>
    tokens.callerOf(headers.authorization, headers.host ?? '', scope);

  app.get<{ Params: { id: string } }>('/api/v1/courses/:id', async (request, reply) => {
    const caller = await callerOf(request, 'courses:read');
    if (caller === undefined) return reply.code(401).send();
    const { rows } = await pool.query<Row>({ ...GET, values: [caller.site_id, request.params.id] });
    return rows[0] === undefined ? reply.code(404).send() : courseOf(rows[0]);
  });

  app.get<{ Querystring: { limit: string } }>('/api/v1/courses', async (request, reply) => {
    const caller = await callerOf(request, 'courses:read');
    if (caller === undefined) return reply.code(401).send();
    const limit = Number(request.query.limit);
    const { rows } = await pool.query<Row>({ ...LIST, values: [caller.site_id, limit + 1] });
    const data = rows.slice(0, limit).map(summaryOf);
    const last = rows.length > limit ? data.at(-1) : undefined;
    const next_cursor = last && Buffer.from(JSON.stringify([last.created_at, last.id])).toString('base64url');
    return { data, page: { next_cursor: next_cursor ?? null, has_more: last !== undefined, limit } };
  });

  app.post<{ Body: NewCourse }>('/api/v1/courses', async (request, reply) => {
    const caller = await callerOf(request, 'courses:write');
    if (caller === undefined) return reply.code(401).send();
    const key = String(request.headers['idempotency-key']);
    return reply.code(201).send(await create(pool, caller, key, request.body));
  });

  await app.listen({ host: '127.0.0.1', port: 0 });
  return app.server;
});

/** The course, its event, its entry in the activity log and its idempotency key, in one transaction. */
async function create(pool: pg.Pool, caller: Caller, key: string, body: NewCourse) {
  const { site_id, client_id, person_id } = caller;
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { slug, name, subtitle, tags } = body;
    const { rows } = await client.query<Row>({ ...INSERT_COURSE, values: [site_id, slug, name, subtitle, tags] });
    const [row] = rows as [Row];
    const event = eventOf(row);
    const request_id = randomUUID();
    const trace = JSON.stringify({ 'X-Request-Id': request_id });
    await client.query({ ...INSERT_EVENT, values: [event.id, SUBJECT, row.id, JSON.stringify(event), trace] });
    const logged = [site_id, event.id, row.id, person_id, client_id, request_id, event.occurred_at];
    await client.query({ ...INSERT_ACTIVITY, values: logged });
    const course = courseOf(row);
    const id = sha256([site_id, client_id, person_id, 'POST /api/v1/courses', key]);
    const location = `${caller.origin}/api/v1/courses/${row.id}`;
    const headers = { 'cache-control': 'private, no-cache', etag: '"1-0"', location };
    const response = JSON.stringify({ response: { status: 201, body: course, headers, open: OPEN } });
    await client.query({ ...INSERT_KEY, values: [id, site_id, sha256(body), response] });
    await client.query('commit');
    return course;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

function sha256(value: unknown): Buffer {
  return hash('sha256', JSON.stringify(value), 'buffer');
}

function eventOf({ id, site_id, slug, name, subtitle, image_url, state, published_at }: Row) {
  return {
    id: randomUUID(),
    type: SUBJECT,
    aggregate_id: id,
    aggregate_version: 1,
    site_id,
    epoch: 1,
    actor: { member_id: null, client_id: null, via: 'system', request_id: null },
    occurred_at: new Date().toISOString(),
    data: { course_id: id, site_id, slug, name, subtitle, image_url, state, published_at },
  };
}

function summaryOf(row: Row) {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    subtitle: row.subtitle,
    image_url: row.image_url,
    image_file_id: row.image_file_id,
    course_type: row.course_type,
    state: row.state,
    featured: row.featured,
    hidden: row.hidden,
    tags: row.tags,
    lecturer_ids: row.lecturer_ids,
    category_ids: row.category_ids,
    seo: { title: row.seo_title, description: row.seo_description },
    external_id: row.external_id,
    metadata: row.metadata,
    enrollments_count: row.enrollments_count,
    rating_average: row.rating_average,
    reviews_count: row.reviews_count,
    duration_seconds: row.duration_seconds,
    published_at: row.published_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function courseOf(row: Row) {
  return { ...summaryOf(row), description_html: row.description_html };
}
