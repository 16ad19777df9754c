import type { Principal, Reply } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { startMemberApi } from './member-api.js';
import type { Data, TestApi } from './member-api.js';
import { PurchaseWorld, file } from './purchase-world.js';
import { ToolCaller, refusal } from './tool-caller.js';
import { attachment, lecture, section } from './world.js';

let api: TestApi;
let tools: ToolCaller;
let person_id: string;

beforeAll(async () => {
  api = await startMemberApi();
  tools = await ToolCaller.connect(api);
  ({ person_id } = api.student());
  const { site_id } = api.sites[0];
  await api.world.person({ person_id });
  await api.world.role({ person_id, site_id, name: 'Ada' });
  for (const slug of ['one', 'two', 'three']) {
    const { course_id } = await api.world.course({ site_id, slug });
    await api.world.enrollment({ site_id, person_id, course_id, started_at: `2026-01-0${slug.length}T00:00:00.000Z` });
  }
  const world = new PurchaseWorld(api.world);
  const product = await world.product({ site_id, files: ['a', 'b', 'c', 'd'].map(file) });
  await world.grant({ site_id, person_id, digital_product_id: product.digital_product_id });
  const { consulting_service_id } = await world.service({ site_id });
  const { purchase_id } = await world.purchase({ site_id, person_id, consulting_service_id });
  await world.booking({ site_id, person_id, purchase_id, consulting_service_id });
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
  await tools.close();
  await api.stop();
});

const principal = (changes: Partial<Principal> = {}): Principal => tools.principal(person_id, changes);
const call = (name: string, input: object, caller: Principal | null = principal()): Promise<Reply> =>
  tools.call(name, input, caller);

describe('the tools of a member', () => {
  it('registers the tools of a member', () => {
    expect(tools.all.map(({ name, scopes }) => [name, scopes])).toEqual(
      expect.arrayContaining([
        ['my_account', ['account:read']],
        ['my_courses', ['account:read']],
        ['my_course', ['account:read']],
        ['my_digital_products', ['account:read']],
        ['my_digital_product', ['account:read']],
        ['my_consulting_services', ['account:read']],
        ['my_event_registrations', ['account:read']],
        ['my_notifications', ['account:read']],
        ['my_notification_subscriptions', ['account:read']],
        ['mark_notification_read', ['account:read', 'account:write']],
        ['mark_all_notifications_read', ['account:read', 'account:write']],
        ['update_notification_subscription', ['account:read', 'account:write']],
      ]),
    );
  });

  it('returns the profile of the member', async () => {
    expect(await call('my_account', {})).toEqual({
      ok: true,
      result: expect.objectContaining({ member_id: principal().member_id, name: 'Ada', unread_notification_count: 3 }),
    });
  });

  it('lists the courses in pages', async () => {
    const first = await call('my_courses', { first: 2 });
    if (!first.ok) throw new Error(first.error.detail);
    const { items, next_cursor } = first.result as { items: { slug: string; state: string }[]; next_cursor: string };
    expect(items.map(({ slug, state }) => [slug, state])).toEqual([
      ['three', 'active'],
      expect.arrayContaining([expect.stringMatching(/one|two/)]),
    ]);
    const second = await call('my_courses', { after: next_cursor });
    expect(second).toEqual({
      ok: true,
      result: { items: [expect.objectContaining({ url: null })], next_cursor: null },
    });
  });

  it('returns one course with its curriculum and the last watched lecture', async () => {
    const listed = await call('my_courses', { first: 1 });
    if (!listed.ok) throw new Error(listed.error.detail);
    const [{ course_id } = { course_id: '' }] = (listed.result as { items: { course_id: string }[] }).items;
    const { site_id } = api.sites[0];
    await api.world.progress({ site_id, person_id, course_id, watched_at: '2026-03-03T03:03:03.000Z' });
    const [bowline, slip] = [lecture('bowline', { lecture_type: 'pdf' }), lecture('slip')];
    const loops = section([bowline, slip]);
    await api.world.curriculum({ site_id, course_id, sections: [loops] });
    const { lecture_id } = bowline;
    await api.world.attachments({ site_id, course_id, lecture_id, attachments: [attachment('Chart')] });
    const watched_at = '2026-03-02T03:03:03.000Z';
    await api.world.progress({ site_id, person_id, course_id, lecture_id, watched_at, completed_at: watched_at });
    const progress = `{ viewer { enrolledCourses(first: 5) { nodes { completedLecturesCount lastWatchedLecture { title }
      curriculum { lectures { attachments { title } } } } } } }`;
    await api.until(progress, ({ viewer }) =>
      viewer.enrolledCourses.nodes.some(
        (one: Data) =>
          one.lastWatchedLecture !== null &&
          one.completedLecturesCount === 1 &&
          one.curriculum[0]?.lectures[0]?.attachments.length === 1,
      ),
    );
    expect(await call('my_course', { course_id })).toEqual({
      ok: true,
      result: expect.objectContaining({
        course_id,
        slug: 'three',
        image_url: null,
        completed_at: null,
        last_watched_lecture: expect.objectContaining({ title: 'Bowline', position_seconds: 30 }),
        lectures_count: 2,
        completed_lectures_count: 1,
        next_lecture_id: slip.lecture_id,
        lectures_left_off: 0,
        curriculum: [
          {
            section_id: loops.section_id,
            title: 'Loops',
            available_at: null,
            lectures: [
              {
                lecture_id,
                title: 'The bowline',
                lecture_type: 'pdf',
                duration_seconds: 90,
                completed: true,
                position_seconds: 30,
                attachments: [
                  {
                    title: 'Chart',
                    kind: 'pdf',
                    content_type: 'application/pdf',
                    size_bytes: 1_234,
                    downloadable: true,
                    download_url: expect.stringContaining('/member/attachments?token='),
                  },
                ],
              },
              expect.objectContaining({ lecture_id: slip.lecture_id, completed: false, position_seconds: null }),
            ],
          },
        ],
      }),
    });
    expect(await call('my_course', { course_id: uuidv7() })).toEqual(refusal('not_found'));
    expect(await call('my_course', { course_id: 'three' })).toEqual(refusal('validation_failed'));
    expect(await call('my_course', { course_id }, principal({ person_id: uuidv7() }))).toEqual(refusal('not_found'));
  });

  it('lists the purchases', async () => {
    const itemsOf = async (name: string) => {
      const reply = await call(name, {});
      if (!reply.ok) throw new Error(reply.error.detail);
      expect(reply.result).toMatchObject({ next_cursor: null });
      return (reply.result as { items: unknown[] }).items;
    };
    expect(await itemsOf('my_digital_products')).toMatchObject([
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
    expect(await itemsOf('my_consulting_services')).toMatchObject([
      {
        slug: 'passage-planning',
        lecturer: { name: 'The Pilot' },
        sessions_remaining: 4,
        bookings: [{ state: 'scheduled', join_url: 'https://meet.example/pilot' }],
      },
    ]);
    expect(await itemsOf('my_event_registrations')).toMatchObject([
      { slug: 'harbour-day', state: 'registered', hosting_type: 'live_session', ticket_name: 'Standard' },
    ]);
  });

  it('lists and marks notifications', async () => {
    const listed = await call('my_notifications', {});
    if (!listed.ok) throw new Error(listed.error.detail);
    const { items } = listed.result as { items: { notification_id: string }[] };
    expect(items).toHaveLength(3);
    const notification_id = items[0]?.notification_id;
    const mark = (input: object) => call('mark_notification_read', { notification_id, ...input });
    const marked = (dry_run: boolean) => ({
      ok: true,
      result: { notification_id, is_read: true, unread_notification_count: 2, dry_run },
    });
    for (let n = 0; n < 2; n += 1) expect(await mark({ dry_run: true })).toEqual(marked(true));
    expect(await call('my_account', {})).toMatchObject({ result: { unread_notification_count: 3 } });
    for (let n = 0; n < 2; n += 1) expect(await mark({ idempotency_key: 'one' })).toEqual(marked(false));
    expect(await mark({ dry_run: true })).toEqual(marked(true));
    for (const dry_run of [true, false]) {
      expect(await mark({ notification_id: `ntf_${uuidv7()}`, dry_run })).toEqual(refusal('not_found'));
      const elsewhere = principal({ person_id: uuidv7() });
      expect(await call('mark_notification_read', { notification_id, dry_run }, elsewhere)).toEqual(
        refusal('not_found'),
      );
    }
  });

  it('marks all notifications up to an instant, after a dry run', async () => {
    const mark = (input: object) => call('mark_all_notifications_read', input);
    const marked = (marked_count: number, unread_notification_count: number, dry_run = false) => ({
      ok: true,
      result: { marked_count, unread_notification_count, dry_run },
    });
    expect(await mark({ dry_run: true })).toEqual(marked(2, 0, true));
    expect(await mark({ before: '2026-01-01T00:00:00Z' })).toEqual(marked(0, 2));
    for (const left of [2, 0]) expect(await mark({ idempotency_key: 'one' })).toEqual(marked(left, 0));
    expect(await mark({ before: 'yesterday' })).toEqual(refusal('validation_failed'));
    expect(await mark({ before: '0000-01-01T00:00:00Z' })).toEqual(refusal('validation_failed'));
  });

  it('lists and changes notification subscriptions, after a dry run', async () => {
    interface Listed {
      readonly items: { subscription_id: string; topic: string; can_change: boolean; channels: { email: boolean } }[];
    }
    const list = async (): Promise<Listed['items']> => {
      const reply = await call('my_notification_subscriptions', { first: 50 });
      if (!reply.ok) throw new Error(reply.error.detail);
      return (reply.result as Listed).items;
    };
    const found = async (topic: string) => (await list()).find((one) => one.topic === topic);
    const { subscription_id } = (await found('announcement')) ?? {};
    const change = (input: object) => call('update_notification_subscription', { subscription_id, ...input });
    const result = { subscription_id, active: true, channels: { in_app: true, email: false } };
    const off = { channels: { email: false } };
    expect(await change({ ...off, dry_run: true })).toEqual({ ok: true, result: { ...result, dry_run: true } });
    expect((await found('announcement'))?.channels.email).toBe(true);
    for (let n = 0; n < 2; n += 1)
      expect(await change(off)).toEqual({ ok: true, result: { ...result, dry_run: false } });
    expect((await found('announcement'))?.channels.email).toBe(false);
    const { subscription_id: fixed } = (await found('access')) ?? {};
    expect(await change({ subscription_id: fixed, active: false })).toEqual(refusal('invalid_state'));
    expect(await change({ subscription_id: `nsb_${uuidv7()}`, active: false })).toEqual(refusal('not_found'));
    expect(await change({ channels: { fax: true } })).toEqual(refusal('validation_failed'));
    const reader = principal({ scopes: ['account:read'] });
    expect(await call('update_notification_subscription', { subscription_id }, reader)).toEqual(
      refusal('insufficient_scope'),
    );
  });

  it('declares every writing tool as idempotent with a dry run', () => {
    const writing = tools.all.filter(({ annotations }) => !annotations.readOnlyHint);
    expect(writing).toHaveLength(3);
    for (const { inputSchema, outputSchema } of writing) {
      expect(inputSchema['properties']).toMatchObject({ dry_run: { default: false }, idempotency_key: {} });
      expect(outputSchema?.['properties']).toHaveProperty('dry_run');
    }
  });

  it('rejects invalid sizes, cursors and arguments', async () => {
    for (const input of [{ first: 0 }, { first: 51 }, { first: 'x' }, { unknown: 1 }]) {
      expect(await call('my_courses', input)).toEqual(refusal('validation_failed'));
    }
    expect(await call('my_courses', { after: 'x' })).toMatchObject({
      ok: false,
      error: { code: 'invalid_cursor', hint: expect.stringContaining('`after`') },
    });
  });

  it('rejects callers without membership and scopes at the site', async () => {
    expect(await call('my_courses', {}, null)).toEqual(refusal('invalid_token'));
    expect(await call('my_courses', {}, principal({ audience: 'operator', scopes: ['courses:read'] }))).toEqual(
      refusal('insufficient_scope'),
    );
    expect(
      await call('mark_notification_read', { notification_id: uuidv7() }, principal({ scopes: ['account:read'] })),
    ).toEqual(refusal('insufficient_scope'));
    expect(await call('my_courses', {}, principal({ site_id: api.sites[1].site_id }))).toEqual(refusal('forbidden'));
    expect(await call('my_courses', {}, principal({ person_id: uuidv7() }))).toMatchObject({
      error: { code: 'not_found', hint: expect.stringMatching(/^After a first sign-in, try again/) },
    });
  });
});
