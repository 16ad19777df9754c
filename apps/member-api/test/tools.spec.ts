import { REQUEST_HEADERS, offerSubject, replySchema } from '@lyceum/contracts';
import type { Principal, PromptDescription, PromptOutput, Reply, ToolDescription } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { offeredBy } from '@lyceum/testing';
import { connect, headers } from '@nats-io/transport-node';
import type { NatsConnection } from '@nats-io/transport-node';
import { startMemberApi } from './member-api.js';
import type { Data, TestApi } from './member-api.js';
import { PurchaseWorld, file } from './purchase-world.js';

let api: TestApi;
let gateway: NatsConnection;
let tools: readonly ToolDescription[];
let prompts: readonly PromptDescription[];
let person_id: string;

beforeAll(async () => {
  api = await startMemberApi();
  // The gateway alone may call tools.
  const { NATS_URL, NATS_USER, NATS_PASSWORD } = api.nats.environment('mcp-gateway');
  gateway = await connect({
    servers: NATS_URL,
    user: NATS_USER,
    pass: NATS_PASSWORD,
    inboxPrefix: '_INBOX_mcp-gateway',
  });
  const all = api.nats.environment('admin');
  const admin = await connect({ servers: all.NATS_URL, user: all.NATS_USER, pass: all.NATS_PASSWORD });
  ({ tools, prompts } = await offeredBy(admin, 'member-api'));
  await admin.close();
  ({ person_id } = api.student());
  const { site_id } = api.sites[0];
  await api.world.person({ person_id, name: 'Ada' });
  await api.world.role({ person_id, site_id });
  for (const slug of ['one', 'two', 'three']) {
    const { course_id } = await api.world.course({ site_id, slug });
    await api.world.enrollment({ site_id, person_id, course_id, started_at: `2026-01-0${slug.length}T00:00:00.000Z` });
  }
  const world = new PurchaseWorld(api.world);
  const product = await world.product({ site_id, files: ['a', 'b', 'c', 'd'].map(file) });
  await world.grant({ site_id, person_id, digital_product_id: product.digital_product_id });
  const { consulting_service_id } = await world.service({ site_id });
  const { purchase_id } = await world.purchase({ site_id, person_id, consulting_service_id });
  await world.meeting({ site_id, person_id, purchase_id, consulting_service_id });
  const { event_id } = await world.event({ site_id });
  await world.registration({ site_id, person_id, event_id });
  const bought = `{ viewer { digitalProducts { totalCount } eventRegistrations { totalCount }
    consultingServices { nodes { bookings { totalCount } } } } }`;
  await api.until(bought, ({ viewer }) => {
    const { digitalProducts, eventRegistrations, consultingServices } = viewer ?? {};
    const booked = consultingServices?.nodes[0]?.bookings.totalCount;
    return digitalProducts?.totalCount === 1 && eventRegistrations.totalCount === 1 && booked === 1;
  });
  await api.until('{ viewer { unreadNotificationCount } }', ({ viewer }) => viewer?.unreadNotificationCount === 3);
});
afterAll(async () => {
  await gateway.close();
  await api.stop();
});

const principal = (changes: Partial<Principal> = {}): Principal => ({
  person_id,
  site_id: api.sites[0].site_id,
  client_id: 'client',
  audience: 'member',
  scopes: ['account:read', 'account:write'],
  grant_id: 'grant',
  token_fingerprint: '0123456789abcdef',
  expires_at: Math.floor(Date.now() / 1000) + 60,
  ...changes,
});

async function call(name: string, input: object, who: Principal | null = principal()): Promise<Reply> {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return ask(offerSubject('member-api', 'tool', tool), input, who);
}

async function plan(input: object, who: Principal | null = principal()): Promise<Reply> {
  const [prompt] = prompts;
  if (prompt?.name !== 'plan_my_study_week') throw new Error('there is no such prompt');
  return ask(offerSubject('member-api', 'prompt', prompt), input, who);
}

async function ask(subject: string, input: object, who: Principal | null): Promise<Reply> {
  const given = headers();
  given.set(REQUEST_HEADERS.site, api.sites[0].site_id);
  given.set(REQUEST_HEADERS.deadline, String(Date.now() + 5_000));
  given.set(REQUEST_HEADERS.requestId, uuidv7());
  if (who !== null) given.set(REQUEST_HEADERS.principal, JSON.stringify(who));
  const body = JSON.stringify({ arguments: input });
  const reply = await gateway.request(subject, body, { timeout: 5_000, headers: given });
  return replySchema.parse(reply.json());
}

const refusal = (code: string) => expect.objectContaining({ ok: false, error: expect.objectContaining({ code }) });

describe('the tools of a member', () => {
  it('are in the catalogue', () => {
    expect(tools.map(({ name, scopes }) => [name, scopes])).toEqual(
      expect.arrayContaining([
        ['get_my_account', ['account:read']],
        ['list_my_courses', ['account:read']],
        ['get_my_course', ['account:read']],
        ['list_my_digital_products', ['account:read']],
        ['list_my_consulting_services', ['account:read']],
        ['list_my_event_registrations', ['account:read']],
        ['list_my_notifications', ['account:read']],
        ['list_my_notification_subscriptions', ['account:read']],
        ['mark_notification_read', ['account:read', 'account:write']],
        ['mark_all_notifications_read', ['account:read', 'account:write']],
        ['update_notification_subscription', ['account:read', 'account:write']],
      ]),
    );
  });

  it('tell who the member is', async () => {
    expect(await call('get_my_account', {})).toEqual({
      ok: true,
      result: expect.objectContaining({ person_id, name: 'Ada', unread_notification_count: 3 }),
    });
  });

  it('list the courses in pages', async () => {
    const first = await call('list_my_courses', { first: 2 });
    if (!first.ok) throw new Error(first.error.detail);
    const { items, next_cursor } = first.result as { items: { slug: string; state: string }[]; next_cursor: string };
    expect(items.map(({ slug, state }) => [slug, state])).toEqual([
      ['three', 'active'],
      expect.arrayContaining([expect.stringMatching(/one|two/)]),
    ]);
    const second = await call('list_my_courses', { after: next_cursor });
    expect(second).toEqual({
      ok: true,
      result: { items: [expect.objectContaining({ url: expect.any(String) })], next_cursor: null },
    });
  });

  it('return one course whole, with where it was left', async () => {
    const listed = await call('list_my_courses', { first: 1 });
    if (!listed.ok) throw new Error(listed.error.detail);
    const [{ course_id } = { course_id: '' }] = (listed.result as { items: { course_id: string }[] }).items;
    const { site_id } = api.sites[0];
    await api.world.progress({ site_id, person_id, course_id, watched_at: '2026-03-03T03:03:03.000Z' });
    await api.until('{ viewer { enrolledCourses { nodes { lastWatchedLecture { title } } } } }', ({ viewer }) =>
      viewer.enrolledCourses.nodes.some(({ lastWatchedLecture }: Data) => lastWatchedLecture !== null),
    );
    expect(await call('get_my_course', { course_id })).toEqual({
      ok: true,
      result: expect.objectContaining({
        course_id,
        slug: 'three',
        image_url: null,
        completed_at: null,
        last_watched_lecture: expect.objectContaining({ title: 'Bowline', position_seconds: 30 }),
      }),
    });
    expect(await call('get_my_course', { course_id: uuidv7() })).toEqual(refusal('not_found'));
    expect(await call('get_my_course', { course_id: 'three' })).toEqual(refusal('validation_failed'));
    expect(await call('get_my_course', { course_id }, principal({ person_id: uuidv7() }))).toEqual(
      refusal('not_found'),
    );
  });

  it('list what the member has bought', async () => {
    const itemsOf = async (name: string) => {
      const reply = await call(name, {});
      if (!reply.ok) throw new Error(reply.error.detail);
      expect(reply.result).toMatchObject({ next_cursor: null });
      return (reply.result as { items: unknown[] }).items;
    };
    expect(await itemsOf('list_my_digital_products')).toMatchObject([
      {
        slug: 'chart-pack',
        state: 'active',
        download_limit: null,
        files_count: 4,
        files: ['a', 'b', 'c'].map((name) => ({
          name,
          download_url: expect.stringContaining('/member/downloads?token='),
        })),
      },
    ]);
    expect(await itemsOf('list_my_consulting_services')).toMatchObject([
      {
        slug: 'passage-planning',
        lecturer: { name: 'The Pilot' },
        sessions_remaining: 4,
        bookings: [{ state: 'scheduled', join_url: 'https://meet.example/pilot' }],
      },
    ]);
    expect(await itemsOf('list_my_event_registrations')).toMatchObject([
      { slug: 'harbour-day', state: 'registered', hosting_type: 'live_session', ticket_name: 'Standard' },
    ]);
  });

  it('list and mark notifications', async () => {
    const listed = await call('list_my_notifications', {});
    if (!listed.ok) throw new Error(listed.error.detail);
    const { items } = listed.result as { items: { notification_id: string }[] };
    expect(items).toHaveLength(3);
    const notification_id = items[0]?.notification_id;
    for (let n = 0; n < 2; n += 1) {
      expect(await call('mark_notification_read', { notification_id })).toEqual({
        ok: true,
        result: { notification_id, is_read: true, unread_notification_count: 2 },
      });
    }
    expect(await call('mark_notification_read', { notification_id: uuidv7() })).toEqual(refusal('not_found'));
  });

  it('mark all notifications up to an instant, after saying what that would do', async () => {
    const mark = (input: object) => call('mark_all_notifications_read', input);
    const marked = (marked_count: number, unread_notification_count: number, dry_run = false) => ({
      ok: true,
      result: { marked_count, unread_notification_count, dry_run },
    });
    expect(await mark({ dry_run: true })).toEqual(marked(2, 2, true));
    expect(await mark({ before: '2026-01-01T00:00:00Z' })).toEqual(marked(0, 2));
    for (const left of [2, 0]) expect(await mark({ idempotency_key: 'one' })).toEqual(marked(left, 0));
    expect(await mark({ before: 'yesterday' })).toEqual(refusal('validation_failed'));
    expect(await mark({ before: '0000-01-01T00:00:00Z' })).toEqual(refusal('validation_failed'));
  });

  it('list and change notification subscriptions, after saying what that would do', async () => {
    interface Listed {
      readonly items: { subscription_id: string; topic: string; can_change: boolean; channels: { email: boolean } }[];
    }
    const list = async (): Promise<Listed['items']> => {
      const reply = await call('list_my_notification_subscriptions', { first: 50 });
      if (!reply.ok) throw new Error(reply.error.detail);
      return (reply.result as Listed).items;
    };
    const found = async (topic: string) => (await list()).find((one) => one.topic === topic);
    const { subscription_id } = (await found('announcement')) ?? {};
    const change = (input: object) => call('update_notification_subscription', { subscription_id, ...input });
    const result = { subscription_id, active: true, channels: { in_app: true, email: false, push: false } };
    const off = { channels: { email: false } };
    expect(await change({ ...off, dry_run: true })).toEqual({ ok: true, result: { ...result, dry_run: true } });
    expect((await found('announcement'))?.channels.email).toBe(true);
    for (let n = 0; n < 2; n += 1)
      expect(await change(off)).toEqual({ ok: true, result: { ...result, dry_run: false } });
    expect((await found('announcement'))?.channels.email).toBe(false);
    const { subscription_id: fixed } = (await found('access')) ?? {};
    expect(await change({ subscription_id: fixed, active: false })).toEqual(refusal('invalid_state'));
    expect(await change({ subscription_id: uuidv7(), active: false })).toEqual(refusal('not_found'));
    expect(await change({ channels: { fax: true } })).toEqual(refusal('validation_failed'));
    const reader = principal({ scopes: ['account:read'] });
    expect(await call('update_notification_subscription', { subscription_id }, reader)).toEqual(
      refusal('insufficient_scope'),
    );
  });

  it('refuse sizes, cursors and arguments that are not theirs', async () => {
    for (const input of [{ first: 0 }, { first: 51 }, { first: 'x' }, { unknown: 1 }]) {
      expect(await call('list_my_courses', input)).toEqual(refusal('validation_failed'));
    }
    expect(await call('list_my_courses', { after: 'x' })).toEqual(refusal('invalid_cursor'));
  });

  it('refuse everybody who is no member with the scopes here', async () => {
    expect(await call('list_my_courses', {}, null)).toEqual(refusal('invalid_token'));
    expect(await call('list_my_courses', {}, principal({ audience: 'operator', scopes: ['courses:read'] }))).toEqual(
      refusal('insufficient_scope'),
    );
    expect(
      await call('mark_notification_read', { notification_id: uuidv7() }, principal({ scopes: ['account:read'] })),
    ).toEqual(refusal('insufficient_scope'));
    expect(await call('list_my_courses', {}, principal({ site_id: api.sites[1].site_id }))).toEqual(
      refusal('forbidden'),
    );
    expect(await call('list_my_courses', {}, principal({ person_id: uuidv7() }))).toEqual(refusal('not_found'));
  });
});

describe('plan_my_study_week', () => {
  it('has the courses as data, and instructions that say nothing of them', async () => {
    const reply = await plan({ hours: '7' });
    if (!reply.ok) throw new Error(JSON.stringify(reply));
    const [said, attached] = (reply.result as PromptOutput).messages.map(({ content }) => content);
    if (said?.type !== 'text' || attached?.type !== 'resource') throw new Error('other messages are expected');
    expect(said.text).toContain('of 7 hours in all');
    const { courses, more_courses } = JSON.parse(attached.resource.text) as {
      courses: object[];
      more_courses: boolean;
    };
    expect(courses).toHaveLength(3);
    expect(courses).toContainEqual(expect.objectContaining({ slug: 'one', completion_rate: 0 }));
    expect(more_courses).toBe(false);
  });

  it.each(['1', '60'])('plans %s hours', async (hours) => {
    expect(await plan({ hours })).toMatchObject({ ok: true });
  });

  it.each([{ hours: '0' }, { hours: '61' }, { hours: '1.5' }, { hours: 5 }, { more: 'x' }])(
    'refuses %j',
    async (input) => {
      expect(await plan(input)).toEqual(refusal('validation_failed'));
    },
  );

  it('is for members with the scope', async () => {
    expect(await plan({}, null)).toEqual(refusal('invalid_token'));
    expect(await plan({}, principal({ scopes: ['openid'] }))).toEqual(refusal('insufficient_scope'));
    expect(await plan({}, principal({ audience: 'operator' }))).toEqual(refusal('insufficient_scope'));
  });
});
