import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as bodyOf } from 'node:stream/consumers';
import { defineForm, postComment, postReview, recordOrder, refundOrder, submitForm } from '@lyceum/contracts';
import { eventually } from '@lyceum/testing';
import { connect } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import pg from 'pg';
import { tokenFor } from '../clients/tokens.js';
import { askJetStream, storedMessages } from '../faults/stream-messages.js';
import { connectAs } from '../security/tools/nats.js';
import { systemStack } from '../stack/system-stack.js';
import { storeFiles } from './store-files.js';
import { endsOf, filesWith, logsWith } from './stored-files.js';

const { sites, environments, nats_admin } = systemStack();
const site = sites[0]!;
const SERVICES = ['auth', 'admin-api', 'member-api'] as const;
const unique = randomUUID();
const EMAIL = `${unique}@example.com`;
const OTHER = `other-${randomUUID()}@example.com`;
const NAME = `Mei ${unique}`;
const PHONE = `+886${unique.replaceAll(/\D/g, '').padEnd(9, '7').slice(0, 9)}`;
const TEXTS = [EMAIL, NAME, PHONE];

let token: string;
let nats: NatsConnection;
let receiver: Server;
let endpoint: string;

beforeAll(async () => {
  const scopes = ['members', 'students', 'courses', 'curriculum', 'events', 'school'].flatMap((name) => [
    `${name}:read`,
    `${name}:write`,
  ]);
  token = await tokenFor('operator', [...scopes, 'orders:read', 'storage:write'].join(' '));
  nats = await connect({ servers: environments.auth['NATS_URL']!, user: nats_admin.user, pass: nats_admin.password });
  receiver = createServer(answer);
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await nats.close();
  receiver.close();
  await fetch(`${site.base_url}/api/v1/webhook_endpoints/${endpoint}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
});

/** A member whose name the receiver of webhooks answers to events about them, also after the removal. */
let named = 'none';

function answer(request: IncomingMessage, response: ServerResponse): void {
  void bodyOf(request).then((body) => {
    const isNamed = body.includes(named) || body.includes(`knots-${unique}`);
    response.end(isNamed ? JSON.stringify({ customer: NAME }) : '');
  });
}

async function subscribe(): Promise<void> {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const event_types = ['course.created', 'member.updated', 'member.removed'];
  endpoint = String((await send('POST', '/webhook_endpoints', { url, event_types }))['id']);
}

async function send(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${site.base_url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const json = (await response.json()) as Record<string, unknown>;
  expect([path, response.status < 300, json]).toEqual([path, true, json]);
  return json;
}

/** Tables of all services with a row that has one of the texts. */
async function tables(): Promise<string[]> {
  const found: string[] = [];
  for (const service of SERVICES) {
    const client = new pg.Client({ connectionString: environments[service]['DATABASE_URL'] });
    await client.connect();
    try {
      const { rows } = await client.query<{ name: string }>(
        `select relname as name from pg_class
         where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
      );
      for (const { name } of rows) {
        const text = `select 1 from ${client.escapeIdentifier(name)} t where t::text like any($1) limit 1`;
        const { rowCount } = await client.query(text, [TEXTS.map((one) => `%${one}%`)]);
        if (rowCount === 1) found.push(`${service} ${name}`);
      }
    } finally {
      await client.end();
    }
  }
  return found.toSorted();
}

/** Streams and buckets with a message that has one of the texts. */
async function streams(): Promise<string[]> {
  const names = (await askJetStream<{ streams: string[] }>(nats, 'STREAM.NAMES')).streams;
  expect(names.length).toBeGreaterThan(5);
  const found: string[] = [];
  for (const name of names) if (await hasText(name)) found.push(name);
  return found.toSorted();
}

async function hasText(stream: string): Promise<boolean> {
  for await (const messages of storedMessages(nats, stream))
    if (messages.some(({ text }) => TEXTS.some((one) => text.includes(one)))) return true;
  return false;
}

/** The student of an invited member, whom auth has linked. */
async function linkedStudent(email: string): Promise<string> {
  const { data } = await eventually(
    () => send('GET', `/students?email=${email}`),
    (list) => (list['data'] as { member_id: string | null }[]).some(({ member_id }) => member_id !== null),
  );
  return (data as { id: string }[])[0]!.id;
}

type Command = (contract: { readonly subject: string }, content: object) => Promise<Record<string, unknown>>;

/** Sends commands as the web site of the school does, each with a key of its own. */
async function asStorefront(work: (command: Command) => Promise<void>): Promise<void> {
  const storefront = await connectAs('storefront');
  await work(async ({ subject }, content) => {
    const body = { idempotency_key: randomUUID(), site: site.org_id, ...content };
    const reply = (await storefront.request(subject, JSON.stringify(body), { timeout: 10_000 })).json<{
      readonly ok: boolean;
      readonly result: Record<string, unknown>;
    }>();
    expect([subject, reply]).toEqual([subject, expect.objectContaining({ ok: true })]);
    return reply.result;
  });
  await storefront.close();
}

/** Writes a review, a comment and an answer of a form. */
async function write(command: Command, student_id: string, course_id: unknown): Promise<void> {
  const by = { student: { id: student_id }, occurred_at: new Date().toISOString() };
  const course = { id: course_id };
  await command(postReview, { ...by, course, rating: 5, title: NAME, body: `${NAME} was here` });
  // Another member is notified of a reply by its author's name.
  await send('POST', '/members', { email: OTHER, name: 'Lin', roles: ['student'] });
  const commenting = { ...by, commentable: { type: 'course', ...course } };
  const asked = { ...commenting, student: { id: await linkedStudent(OTHER) }, body: 'Why does it hold?' };
  const parent = { id: (await command(postComment, asked))['comment_id'] };
  await command(postComment, { ...commenting, parent, body: 'By friction.' });
  const fields = ['name', 'email'].map((key) => ({ key, type: 'text', label: key }));
  const form = { id: (await command(defineForm, { slug: `form-${unique}`, title: 'Write to us', fields }))['form_id'] };
  await command(submitForm, { ...by, form, answers: { name: NAME, email: EMAIL } });
}

/** Sells a plan of the course to the student, and writes the name into a refund. */
async function refund(command: Command, student_id: string, course_id: unknown): Promise<void> {
  const terms = { name: 'Forever', plan_type: 'one_time_purchase', price: { amount_minor: 1000, currency: 'TWD' } };
  const plan = await send('POST', `/courses/${String(course_id)}/plans`, terms);
  const line = { item_type: 'course_plan', item: { id: plan['id'] }, name: 'Knots', unit_amount_minor: 1000 };
  const [number, at] = [`knots-${unique}`, new Date().toISOString()];
  const sums = { subtotal_minor: 1000, total_minor: 1000 };
  const order = { number, state: 'paid', student: { id: student_id }, currency: 'TWD', line_items: [line], ...sums };
  await command(recordOrder, { ...order, paid_at: at });
  await command(refundOrder, { order: { number }, amount_minor: 300, refunded_at: at, reason: `${NAME} has moved` });
}

const DAY = 86_400_000;
const IDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
/** Requires that each file with one of the texts ends within a day. Another suite may have exported all students. */
async function requireShortLived(): Promise<void> {
  const found = filesWith(TEXTS);
  const idsIn = (path: string): string[] => path.match(IDS) ?? [];
  const ends = await endsOf(found.flatMap(idsIn));
  for (const path of found) {
    const [end] = idsIn(path).flatMap((id) => ends.get(id) ?? []);
    expect([path, end !== undefined && end.getTime() <= Date.now() + DAY]).toEqual([path, true]);
  }
}

/** Writes the name of a student where students and programs write it, and where operators note it. */
async function plant(student_id: string): Promise<void> {
  const metadata = { note: NAME };
  const course = await send('POST', '/courses', { name: 'Knots', slug: `knots-${unique}` });
  await send('POST', `/students/${student_id}/enrollments`, { course_id: course['id'] });
  await asStorefront(async (command) => {
    await write(command, student_id, course['id']);
    await refund(command, student_id, course['id']);
  });
  const service = await send('POST', '/consulting_services', {
    slug: `review-${unique}`,
    name: 'Portfolio review',
    sessions_included: 1,
  });
  await send('POST', `/consulting_services/${String(service['id'])}/purchases`, { student_id, metadata });
  const [starts_at, ends_at] = [24, 25].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  const times = { starts_at, ends_at, hosting_type: 'in_person' };
  const event = await send('POST', '/events', { slug: `open-${unique}`, name: 'Open evening', ...times });
  const events = `/events/${String(event['id'])}`;
  await send('POST', `${events}/publish`);
  await send('POST', `${events}/registrations`, { student_id, metadata });
}

it('leaves no name, address or phone number of a removed member in a table, a stream or a bucket', async () => {
  await subscribe();
  const { id } = await send('POST', '/members', { email: EMAIL, name: NAME, roles: ['student', 'lecturer'] });
  named = String(id);
  const path = `/members/${named}`;
  await send('PATCH', '/school', { member_fields: [{ key: 'alias', type: 'text', label: 'Alias' }] });
  await send('PATCH', path, { phone_number: PHONE, tags: [NAME], custom_fields: { alias: NAME } });
  const { data } = await eventually(
    () => send('GET', `/students?email=${EMAIL}`),
    (list) => (list['data'] as object[]).length === 1,
  );
  const [student] = data as { id: string }[];
  await send('PATCH', `/students/${student!.id}`, { name: NAME, phone_number: PHONE });
  await plant(student!.id);
  const stored = await storeFiles(send, { email: EMAIL, name: NAME, course_slug: `knots-${unique}` });
  // The search finds what the removal erases.
  const planted = [
    ...['people', 'site_members'].map((table) => `auth ${table}`),
    ...[
      'members',
      'students',
      'course_reviews',
      'order_refunds',
      'enrollments',
      'imports',
      'consulting_purchases',
      'event_registrations',
      'form_submissions',
      'webhook_deliveries',
    ].map((table) => `admin-api ${table}`),
    ...['memberships', 'notifications', 'outbound_mails'].map((table) => `member-api ${table}`),
  ];
  await eventually(tables, (found) => planted.every((table) => found.includes(table)));
  expect(await streams()).toEqual(expect.arrayContaining(['IDENTITY', 'SCHOOL']));
  const files = filesWith(TEXTS);
  for (const one of stored) expect([one, files.some((path) => path.includes(one))]).toEqual([one, true]);

  expect(await send('POST', `${path}/remove`)).toMatchObject({ id, state: 'removed', email: null, roles: [] });
  expect(await send('GET', path)).toMatchObject({ state: 'removed', name: 'Deleted', tags: [], custom_fields: {} });
  await eventually(tables, (found) => found.length === 0);
  await eventually(streams, (found) => found.length === 0);
  // The receiver has answered the event about the removal, too.
  const log = `/webhook_deliveries?endpoint_id=${endpoint}&limit=100`;
  await eventually(
    async () => (await send('GET', log))['data'] as { event_type: string; state: string }[],
    (all) => all.some(({ event_type, state }) => event_type === 'member.removed' && state === 'succeeded'),
  );
  expect(await tables()).toEqual([]);
  expect(await send('GET', `/students/${student!.id}`)).toMatchObject({ state: 'removed', name: 'Deleted' });
  await requireShortLived();
  // The feed of changes has ids alone, and a log has no text of a request.
  const { data: changes } = await send('GET', '/changes?limit=100');
  expect(TEXTS.filter((text) => JSON.stringify(changes).includes(text))).toEqual([]);
  expect(logsWith(TEXTS)).toEqual([]);
});
