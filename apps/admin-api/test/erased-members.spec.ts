import { randomUUID } from 'node:crypto';
import { ERASED_NAME, erasedEmail } from '@lyceum/contracts';
import type { Role } from '@lyceum/contracts';
import { eventually } from '@lyceum/testing';
import { NOTED_TABLES } from '#src/students/student.repository.js';
import { Checkout } from './checkout.js';
import { Consulting } from './consulting.js';
import { withDatabase } from './database.js';
import { at, newLearner } from './learner.js';
import { newCourse } from './new-course.js';
import { TestEvent } from './new-events.js';
import { PRODUCTS, created, publishedProduct } from './new-product.js';
import { removeMember } from './remove-member.js';
import { Storefront } from './storefront.js';
import { TestSubscriptions } from './test-subscriptions.js';

const storefront = Storefront.ofFile();

/** Tables that erase the `metadata` of a student with their own events. */
const OWN_ERASURE = ['subscriptions'];

const read = async (path: string): Promise<Record<string, unknown>> => (await storefront.api.send('GET', path)).body;

it('erases the words of a review, and keeps its rating', async () => {
  const learner = await newLearner(storefront.api);
  const text = { rating: 4, title: 'By Mei Lin', body: 'Mei Lin was here' };
  const { review_id } = await storefront.post(storefront.reviewing(learner, text));
  await removeMember(storefront.api, learner.student_id);
  const [, event] = await storefront.api.events.of([review_id], 2);
  const erased = { rating: 4, title: null, body: '' };
  expect(event).toMatchObject({ type: 'school.review.erased.v1', aggregate_version: 2, data: erased });
  const { data } = await read(`/api/v1/courses/${learner.course_id}/reviews`);
  expect(data).toMatchObject([{ id: review_id, ...erased, reviewed_at: at(1) }]);
  expect(await read(`/api/v1/courses/${learner.course_id}`)).toMatchObject({ rating_average: 4, reviews_count: 1 });
  const erasures = await withDatabase(storefront.api.databaseUrl, (client) =>
    client.query('select version::int from event_erasures where aggregate_id = $1', [review_id]),
  );
  expect(erasures.rows).toEqual([{ version: 2 }]);
});

it('erases the values in the faults of imports, and keeps the faults of other sites', async () => {
  const { api } = storefront;
  const learner = await newLearner(api);
  const fault = { line: 2, pointer: '/email', code: 'invalid_format', detail: 'No address', column: 'email' };
  const ids = await withDatabase(api.databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into imports (site_id, created_by, via, collection, format, upload_id, mode, send_welcome_email, state,
         ended_at, expires_at, faults, faults_count)
       select site_id, uuidv7(), 'rest', 'students', 'csv', uuidv7(), 'create_only', false, 'previewed',
         now(), now() + interval '1 day', $2, 1
       from unnest($1::uuid[]) with ordinality as given (site_id, n) order by n returning id`,
      [api.sites.map(({ site_id }) => site_id), JSON.stringify([{ ...fault, value: 'Mei Lin' }])],
    );
    return rows.map(({ id }) => id);
  });
  await removeMember(api, learner.student_id);
  const faultsOf = async (id: string | undefined, site = api.sites[0]) =>
    (await api.send('GET', `/api/v1/imports/${String(id)}`, { site })).body['faults'];
  expect(await faultsOf(ids[0])).toEqual([{ ...fault, value: null }]);
  expect(await faultsOf(ids[1], api.sites[1])).toEqual([{ ...fault, value: 'Mei Lin' }]);
});

it('erases the metadata of what the member got, and keeps that of others', async () => {
  const metadata = { note: 'Mei Lin pays in cash' };
  const consulting = await Consulting.open(storefront.api);
  const [product, event] = [await publishedProduct(storefront.api), await TestEvent.open(storefront.api)];
  const other = await consulting.purchase({ metadata });
  const { id, student_id } = await consulting.purchase({ metadata });
  const purchase = { student_id, metadata };
  const grant = await created(storefront.api, `${PRODUCTS}/${product.id}/purchases`, purchase);
  const registration = await event.registered(student_id, { metadata });
  const { id: slot_id } = await consulting.slot(100);
  const booking = await created(storefront.api, '/api/v1/consulting_bookings', { slot_id, purchase_id: id, metadata });
  const { id: course_id } = await newCourse(storefront.api);
  const enrollment = await created(storefront.api, '/api/v1/enrollments', { student_id, course_id, metadata });
  const paths = [
    `${consulting.path}/purchases/${id}`,
    `${PRODUCTS}/${product.id}/purchases/${grant.id}`,
    `${event.path}/registrations/${registration.id}`,
    `/api/v1/consulting_bookings/${booking.id}`,
    `/api/v1/enrollments/${enrollment.id}`,
  ];
  for (const path of paths) expect(await read(path)).toMatchObject({ student_id, metadata });
  const tags = await Promise.all(
    paths.map(async (path) => (await storefront.api.send('GET', path)).headers['etag'] ?? ''),
  );
  await removeMember(storefront.api, student_id);
  for (const path of paths) expect([path, await read(path)]).toMatchObject([path, { student_id, metadata: {} }]);
  expect(await consulting.readPurchase(other.id)).toMatchObject({ metadata });
  // The erasure is an edit: an editor of the erased text reads again.
  for (const [index, path] of paths.entries()) {
    const headers = { 'if-match': tags[index] ?? '' };
    const refused = await storefront.api.send('PATCH', path, { body: { metadata }, headers });
    expect([path, refused.status]).toEqual([path, 412]);
  }
});

it('erases the reasons of the refunds of the member, and keeps their amounts and those of others', async () => {
  const checkout = await Checkout.open(storefront.api);
  const reason = 'Mei Lin has moved';
  const refunded = async () => {
    const [student_id, plan] = [await checkout.newStudent(), await checkout.newPlan()];
    const line = { item_type: 'course_plan', item: { id: plan.id } };
    const { order_id } = await checkout.record(checkout.order(student_id, [line]));
    await checkout.refund(order_id, { amount_minor: 300, reason });
    return { student_id, order_id };
  };
  const [{ student_id, order_id }, other] = [await refunded(), await refunded()];
  const before = await storefront.api.send('GET', `/api/v1/orders/${order_id}`);
  expect(before.body['refunds']).toMatchObject([{ reason }]);
  await removeMember(storefront.api, student_id);
  const after = await storefront.api.send('GET', `/api/v1/orders/${order_id}`);
  expect(after.body).toMatchObject({ refunded_minor: 300, refunds: [{ amount_minor: 300, reason: null }] });
  expect(after.headers['etag']).not.toBe(before.headers['etag']);
  expect(await checkout.read(other.order_id)).toMatchObject({ refunds: [{ reason }] });
  await checkout.close();
});

it('shows by updated_at and the ETag which ended subscriptions an erasure changed', async () => {
  const { api } = storefront;
  const subscriptions = new TestSubscriptions(api);
  const of = await subscriptions.offer({}, 0);
  const canceled = async (reason: string | null, more: object = {}) => {
    const path = subscriptions.path(await subscriptions.start(of, more));
    const ended = await api.send('POST', `${path}/cancel`, { body: { at_period_end: false, reason } });
    expect(ended.body).toMatchObject({ state: 'canceled', cancel_reason: reason });
    return path;
  };
  const paths = [await canceled('Mei Lin moves'), await canceled(null, { metadata: { note: 'Mei Lin' } })];
  const plain = await canceled(null);
  const before = await Promise.all([...paths, plain].map((path) => api.send('GET', path)));
  await removeMember(api, of.student_id);
  const changes = await Promise.all(
    before.map(async ({ body, headers }) => {
      const after = await api.send('GET', subscriptions.path(body as { id: string }));
      expect(after.body).toMatchObject({ cancel_reason: null, metadata: {} });
      const isLater = Date.parse(String(after.body['updated_at'])) > Date.parse(String(body['updated_at']));
      return [isLater, after.headers['etag'] !== headers['etag']];
    }),
  );
  expect(changes).toEqual([
    [true, true],
    [true, true],
    [false, false],
  ]);
});

it('moves updated_at of a comment that loses the name of its author, and of a registration that loses the member', async () => {
  const { api } = storefront;
  const learner = await newLearner(api);
  const event = await TestEvent.open(api);
  const comment = await withDatabase(api.databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into comments (site_id, commentable_type, commentable_id, course_id, student_id, body, state, posted_at)
       values ($1, 'course', $2, $2, $3, 'Where?', 'visible', now()) returning id`,
      [api.sites[0].site_id, learner.course_id, learner.student_id],
    );
    return rows[0]?.id ?? '';
  });
  const paths = [
    `/api/v1/comments/${comment}`,
    `${event.path}/registrations/${(await event.registered(learner.student_id)).id}`,
  ];
  const before = await Promise.all(paths.map((path) => api.send('GET', path)));
  await removeMember(api, learner.student_id);
  const after = await Promise.all(paths.map(read));
  expect(after).toMatchObject([{ author_name: ERASED_NAME }, { member_id: null }]);
  for (const [index, body] of after.entries()) {
    const since = String(before[index]?.body['updated_at']);
    expect(Date.parse(String(body['updated_at']))).toBeGreaterThan(Date.parse(since));
  }
  const headers = { 'if-match': before[1]?.headers['etag'] ?? '' };
  expect((await api.send('PATCH', paths[1] ?? '', { body: { metadata: {} }, headers })).status).toBe(412);
});

describe('the lecturer of a removed member', () => {
  /** A member whose roles auth announces, and lecturers with the address of the member. */
  async function stage() {
    const { api } = storefront;
    const [member_id, unique] = [randomUUID(), randomUUID()];
    const email = `Mei.${unique}@example.com`;
    const member = { person_id: randomUUID(), member_id, site_id: api.sites[0].site_id, joined_at: at(0) };
    let version = 0;
    const announce = (roles: Role[], now: object = { email, name: 'Mei Lin' }) =>
      api.events.sendRoles({ ...member, email, name: 'Mei Lin', ...now, roles }, (version += 1));
    const lecturer = async (slug: string, more: object = {}) => {
      const body = { name: 'Mei Lin', slug: `${slug}-${unique}`, email, ...more };
      return `/api/v1/lecturers/${String((await created(api, '/api/v1/lecturers', body)).id)}`;
    };
    const becomes = (path: string, expected: object) =>
      eventually(
        () => read(path),
        (body) => Object.entries(expected).every(([name, value]) => body[name] === value),
      );
    const remove = () => announce([], { email: erasedEmail(member_id), name: ERASED_NAME });
    const isChangedSince = async (body: Record<string, unknown>) => {
      const since = String(body['updated_at']);
      const changed = await api.send('GET', `/api/v1/lecturers?limit=100&updated_at[gt]=${since}`);
      return changed.text.includes(String(body['id']));
    };
    return { member_id, unique, announce, lecturer, becomes, remove, isChangedSince };
  }

  it('loses the address after the link to the member has ended', async () => {
    const { member_id, unique, announce, lecturer, becomes, remove } = await stage();
    const [path, other] = [await lecturer('mei'), await lecturer('lin', { email: `${unique}@example.com` })];
    await announce(['lecturer']);
    await becomes(path, { member_id });
    await announce(['student']);
    await becomes(path, { member_id: null });
    await remove();
    await becomes(path, { email: null, member_id: null });
    expect(await read(other)).toMatchObject({ email: `${unique}@example.com` });
  });

  it('appears in lists by updated_at after each link, its end and the erasure', async () => {
    const { member_id, announce, lecturer, becomes, remove, isChangedSince } = await stage();
    const path = await lecturer('mei');
    const steps = [
      [() => announce(['lecturer']), { member_id }],
      [() => announce(['student']), { member_id: null }],
      [remove, { email: null }],
    ] as const;
    for (const [step, expected] of steps) {
      const before = await read(path);
      expect(await isChangedSince(before)).toBe(false);
      await step();
      await becomes(path, expected);
      expect([expected, await isChangedSince(before)]).toEqual([expected, true]);
    }
  });

  it('loses the address of an owner, whom it never links, and keeps the link to another member', async () => {
    const [{ announce, lecturer, becomes, remove }, other] = [await stage(), await stage()];
    await other.announce(['admin']);
    await announce(['owner']);
    const { api } = storefront;
    await eventually(async () => (await api.send('GET', `/api/v1/members/${other.member_id}`)).status === 200);
    const [open, linked] = [await lecturer('open'), await lecturer('linked', { member_id: other.member_id })];
    expect(await read(open)).toMatchObject({ email: expect.any(String), member_id: null });
    await remove();
    await becomes(open, { email: null, member_id: null });
    await becomes(linked, { email: null, member_id: other.member_id });
  });
});

it('covers each table with metadata about a student', async () => {
  const { rows } = await withDatabase(storefront.api.databaseUrl, (client) =>
    client.query<{ name: string }>(
      `select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name in ('student_id', 'metadata')
       group by table_name having count(*) = 2 order by table_name`,
    ),
  );
  expect(rows.map(({ name }) => name)).toEqual([...NOTED_TABLES, ...OWN_ERASURE].toSorted());
});

it('publishes again without the person what the member got', async () => {
  const { api } = storefront;
  const consulting = await Consulting.open(api);
  const [product, event] = [await publishedProduct(api), await TestEvent.open(api)];
  const { id: purchase_id, student_id } = await consulting.purchase({});
  const { id: slot_id } = await consulting.slot(100);
  const { id: course_id } = await newCourse(api);
  const ids = [
    purchase_id,
    await consulting.booked(slot_id, purchase_id),
    (await created(api, `${PRODUCTS}/${product.id}/purchases`, { student_id })).id,
    (await event.registered(student_id)).id,
    (await created(api, '/api/v1/enrollments', { student_id, course_id })).id,
  ];
  await removeMember(api, student_id);
  for (const id of ids) {
    const links = await api.events.matching((one) => one.aggregate_id === id && one.type.includes('.linked.'), 2);
    expect(links.map(({ data }) => data['person_id'])).toEqual([expect.any(String), null]);
  }
});
