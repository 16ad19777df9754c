import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { runServiceCommand, type Stack } from '@lyceum/local';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type pg from 'pg';
import { scaled } from '../arguments.ts';
import { benchSite, membersOf } from '../bench-stack.ts';
import { count, onDatabase } from '../data/database.ts';
import { signInMembers, untilMembersArrived } from '../data/members.ts';
import { fillSchool } from '../data/school.ts';
import type { Suite } from '../suite.ts';
import { visibilityDelays } from './visibility.ts';

const CONSUMER = 'member-api-enrollments';
const SUBJECT = 'school.enrollment.created.v1';
/** New events in the backlog of one replica. */
const EVENTS = 20_000;
/** Events of the baseline: enough for some seconds. */
const SINGLE_EVENTS = 2_000;
const REPUBLISHED = 500_000;
/** Published before their acknowledgements are awaited. */
const PUBLISHED_AT_ONCE = 500;
const COURSES = 100;
const POLL_MS = 5;
/** Fewer than the writes of a minute. */
const VISIBLE = 100;
/** Spreads the writes over the republication, whose backlog grows. */
const VISIBLE_EVERY_MS = 1_000;

/** The speed at which one replica applies a backlog, and the delay of new events during a republication. */
export const events: Suite = async ({ stack, arguments: wanted, step, hold }) => {
  const [count, republished] = [scaled(wanted, EVENTS), scaled(wanted, REPUBLISHED)];
  const single = scaled(wanted, SINGLE_EVENTS);
  const site = benchSite(stack);
  await untilMembersArrived(stack.databaseUrl('learner'), membersOf(site));
  const courses = await onDatabase(stack.databaseUrl('learner'), (client) => fillCourses(client, site.site_id));
  const singly = await step(`apply ${single} enrollments, one in a transaction`, () =>
    onDatabase(stack.databaseUrl('learner'), (client) => applySingly(client, site.site_id, courses, single)),
  );
  await stack.halt('member-api');
  await step(`publish ${count} enrollments`, () =>
    withNats(stack, (connection) => publish(connection, site.site_id, courses, count)),
  );
  const batched = await step('apply them in member-api', () => drain(stack, count + single));
  await onDatabase(stack.databaseUrl('school'), (client) => fillSchool(client, site.site_id, republished));
  hold({ enrollments: count, 'republished enrollments': republished });
  const [member] = await step('sign members in', () => signInMembers(site));
  return [
    {
      suite: 'events',
      title: `time of an enrollment, of ${count.toLocaleString('en')} that wait for one replica`,
      unit: 'µs',
      // 3,000 events a second.
      goal: 333,
      measure: () => Promise.resolve(batched),
    },
    {
      suite: 'events',
      title: 'time of an enrollment, batches ÷ one in a transaction without NATS',
      unit: '×',
      goal: 0.33,
      measure: () => Promise.resolve(batched / singly),
    },
    {
      suite: 'events',
      title: `from write to viewer while ${republished.toLocaleString('en')} enrollments are republished`,
      goal: 2_000,
      samples: () =>
        whileRepublishing(stack, () =>
          visibilityDelays(stack, member!, {
            times: scaled(wanted, VISIBLE),
            slug: 'bench-new',
            pause: scaled(wanted, VISIBLE_EVERY_MS),
          }),
        ),
    },
  ];
};

async function fillCourses(client: pg.Client, siteId: string): Promise<string[]> {
  const { rows } = await client.query<{ course_id: string }>(
    `INSERT INTO courses (course_id, site_id, version, slug, name, image_url, state)
     SELECT uuidv7(), $1, 1, 'waiting-' || n, 'Course ' || n, NULL, 'published' FROM generate_series(1, ${COURSES}) n
     RETURNING course_id`,
    [siteId],
  );
  return rows.map(({ course_id }) => course_id);
}

function enrollment(siteId: string, courses: readonly string[], n: number) {
  const id = randomUUID();
  const now = new Date().toISOString();
  return {
    id: randomUUID(),
    type: SUBJECT,
    aggregate_id: id,
    aggregate_version: 1,
    site_id: siteId,
    epoch: 1,
    actor: { member_id: null, client_id: null, via: 'system', request_id: null },
    occurred_at: now,
    data: {
      enrollment_id: id,
      site_id: siteId,
      student_id: randomUUID(),
      person_id: randomUUID(),
      course_id: courses[n % courses.length]!,
      state: 'active',
      source: 'import',
      started_at: now,
      expires_at: null,
      completion_rate: 0,
      completed_at: null,
    },
  };
}

/** Microseconds per event with one transaction for each event. */
async function applySingly(
  client: pg.Client,
  siteId: string,
  courses: readonly string[],
  count: number,
): Promise<number> {
  const list = Array.from({ length: count }, (_, n) => enrollment(siteId, courses, n));
  const began = performance.now();
  for (const { id, data, aggregate_version: version } of list) {
    await client.query('BEGIN');
    await client.query(`INSERT INTO inbox (consumer, event_id) VALUES ('bench', $1) ON CONFLICT DO NOTHING`, [id]);
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [data.course_id]);
    await client.query(
      `INSERT INTO enrollments AS old (enrollment_id, site_id, person_id, course_id, version, state, started_at,
                                      completion_rate)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 0)
       ON CONFLICT (enrollment_id) DO UPDATE SET version = excluded.version WHERE old.version < excluded.version`,
      [data.enrollment_id, siteId, data.person_id, data.course_id, version, data.state, data.started_at],
    );
    await client.query('UPDATE enrollments SET announced_at = now() WHERE enrollment_id = $1', [data.enrollment_id]);
    await client.query(
      `INSERT INTO notifications (site_id, person_id, occasion, kind, parameters, created_at)
       VALUES ($1, $2, $3, 'course_enrolled', '{"course":"x"}', now())`,
      [siteId, data.person_id, `enrollment:${data.enrollment_id}`],
    );
    await client.query('COMMIT');
  }
  return ((performance.now() - began) * 1_000) / list.length;
}

async function withNats<T>(stack: Stack, work: (connection: NatsConnection) => Promise<T>): Promise<T> {
  const pass = stack.nats.userPassword('admin')!;
  const connection = await connect({ servers: stack.nats.url, user: 'admin', pass });
  return work(connection).finally(() => connection.close());
}

async function publish(
  connection: NatsConnection,
  siteId: string,
  courses: readonly string[],
  count: number,
): Promise<void> {
  for (let sent = 0; sent < count; sent += PUBLISHED_AT_ONCE) {
    const events = Array.from({ length: Math.min(PUBLISHED_AT_ONCE, count - sent) }, (_, n) =>
      enrollment(siteId, courses, sent + n),
    );
    await Promise.all(events.map((event) => connection.request(SUBJECT, JSON.stringify(event), { timeout: 30_000 })));
  }
}

/** Microseconds per event, from the first applied one to the last. */
async function drain(stack: Stack, enrollments: number): Promise<number> {
  return withNats(stack, async (connection) => {
    const waiting = async (): Promise<number> => {
      const info = await connection.request(`$JS.API.CONSUMER.INFO.SCHOOL.${CONSUMER}`);
      const { num_pending, num_ack_pending } = info.json<{ num_pending: number; num_ack_pending: number }>();
      return num_pending + num_ack_pending;
    };
    const before = await waiting();
    const began = stack.start('member-api');
    let first = before;
    for (; first === before; first = await waiting()) await sleep(POLL_MS);
    const at = performance.now();
    while ((await waiting()) > 0) await sleep(POLL_MS);
    const micros = ((performance.now() - at) * 1_000) / first;
    await began;
    const rows = await onDatabase(stack.databaseUrl('learner'), (client) => count(client, 'enrollments'));
    if (rows < enrollments) throw new Error(`${rows} enrollments instead of ${enrollments}`);
    return micros;
  });
}

/** Repeats the republication until it has enough samples. */
async function whileRepublishing<T>(stack: Stack, work: () => Promise<T>): Promise<T> {
  let done = false;
  const republishing = (async () => {
    while (!done) await runServiceCommand('admin-api', stack.environment('admin-api'), 'republish', 'enrollment');
  })();
  try {
    return await Promise.race([work(), republishing.then(() => Promise.reject(new Error('It ended too early')))]);
  } finally {
    done = true;
    await republishing;
  }
}
