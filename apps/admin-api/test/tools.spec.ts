import type { ToolDescription } from '@lyceum/contracts';
import { connectAs, publishedCapabilities } from '@lyceum/testing';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';

let api: TestApi;
let tools: readonly ToolDescription[];

beforeAll(async () => {
  api = await startAdminApi();
  const connection = await connectAs(api.nats.environment('admin'));
  ({ tools } = await publishedCapabilities(connection, 'admin-api'));
  await connection.close();
});
afterAll(() => api.stop());

it('lists these tools for these callers', () => {
  expect(
    Object.fromEntries(tools.map(({ name, audience, scopes }) => [name, `${audience} ${scopes.join(' ')}`.trim()])),
  ).toEqual({
    abort_upload: 'operator storage:write',
    activate_membership_plan: 'operator membership_plans:write',
    archive_consulting_service: 'operator courses:write',
    archive_course: 'operator courses:write',
    archive_digital_product: 'operator digital_products:write',
    archive_membership_plan: 'operator membership_plans:write',
    archive_post: 'operator posts:write',
    browse_catalog: 'public',
    browse_course: 'public',
    browse_events: 'public',
    browse_item: 'public',
    browse_lecturers: 'public',
    browse_page: 'public',
    browse_plans: 'public',
    browse_posts: 'public',
    cancel_booking: 'operator students:write',
    cancel_consulting_slot: 'operator courses:write',
    cancel_event: 'operator events:write',
    cancel_event_registration: 'operator events:write',
    cancel_subscription: 'operator subscriptions:write',
    change_operation: 'operator',
    check_in_registration: 'operator events:write',
    complete_booking: 'operator students:write',
    complete_upload: 'operator storage:write',
    create_announcement: 'operator posts:write',
    create_booking: 'operator students:write',
    create_category: 'operator courses:write',
    create_consulting_service: 'operator courses:write',
    create_consulting_slot: 'operator courses:write',
    create_coupon: 'operator coupons:write',
    create_course: 'operator courses:write',
    create_course_plan: 'operator courses:write',
    create_digital_product: 'operator digital_products:write',
    create_event: 'operator events:write',
    create_event_ticket: 'operator events:write',
    create_export: 'operator students:read',
    create_import: 'operator students:write',
    create_lecture: 'operator curriculum:write',
    create_lecturer: 'operator lecturers:write',
    create_membership_plan: 'operator membership_plans:write',
    create_page: 'operator pages:write',
    create_page_deployment: 'operator pages:write',
    create_post: 'operator posts:write',
    create_section: 'operator curriculum:write',
    create_subscription: 'operator subscriptions:write',
    create_upload: 'operator storage:write',
    create_webhook_delivery: 'operator school:write',
    deactivate_coupon: 'operator coupons:write',
    delete_announcement: 'operator posts:write',
    delete_category: 'operator courses:write',
    delete_consulting_service: 'operator courses:write',
    delete_coupon: 'operator coupons:write',
    delete_course: 'operator courses:write',
    delete_course_plan: 'operator courses:write',
    delete_event: 'operator events:write',
    delete_event_ticket: 'operator events:write',
    delete_lecture: 'operator curriculum:write',
    delete_lecturer: 'operator lecturers:write',
    delete_membership_plan: 'operator membership_plans:write',
    delete_page: 'operator pages:write',
    delete_post: 'operator posts:write',
    delete_section: 'operator curriculum:write',
    delete_student: 'operator students:write',
    describe_operation: 'operator',
    duplicate_course: 'operator courses:write',
    enable_webhook_endpoint: 'operator school:write',
    enroll_student: 'operator students:write',
    enroll_students: 'operator students:write',
    expire_enrollment: 'operator students:write',
    extend_enrollment: 'operator students:write',
    generate_coupons: 'operator coupons:write',
    get_analytics: 'operator analytics:read',
    get_announcement: 'operator posts:read',
    get_appearance: 'operator appearance:read',
    get_comment: 'operator comments:read',
    get_consulting_service: 'operator courses:read',
    get_coupon: 'operator coupons:read',
    get_course: 'operator courses:read',
    get_curriculum: 'operator curriculum:read',
    get_digital_product: 'operator digital_products:read',
    get_event: 'operator events:read',
    get_export: 'operator students:read',
    get_form: 'operator forms:read',
    get_import: 'operator students:read',
    get_lecture: 'operator curriculum:read',
    get_lecturer: 'operator lecturers:read',
    get_member: 'operator members:read',
    get_membership_plan: 'operator membership_plans:read',
    get_order: 'operator orders:read',
    get_post: 'operator posts:read',
    get_school: 'operator school:read',
    get_school_profile: 'public',
    get_student: 'operator students:read',
    get_subscription: 'operator subscriptions:read',
    get_webhook_delivery: 'operator school:read',
    grant_consulting_purchase: 'operator students:write',
    grant_digital_product_purchase: 'operator digital_products:write',
    invite_member: 'operator members:write',
    list_activity: 'operator school:read',
    list_announcements: 'operator posts:read',
    list_bookings: 'operator students:read',
    list_categories: 'operator courses:read',
    list_changes: 'operator',
    list_comment_replies: 'operator comments:read',
    list_comments: 'operator comments:read',
    list_consulting_purchases: 'operator students:read',
    list_consulting_services: 'operator courses:read',
    list_consulting_slots: 'operator courses:read',
    list_coupon_redemptions: 'operator coupons:read',
    list_coupons: 'operator coupons:read',
    list_course_plans: 'operator courses:read',
    list_course_reviews: 'operator courses:read',
    list_courses: 'operator courses:read',
    list_digital_product_purchases: 'operator digital_products:read',
    list_digital_products: 'operator digital_products:read',
    list_enrollments: 'operator students:read',
    list_event_registrations: 'operator events:read',
    list_event_tickets: 'operator events:read',
    list_events: 'operator events:read',
    list_form_submissions: 'operator forms:read',
    list_forms: 'operator forms:read',
    list_lecturers: 'operator lecturers:read',
    list_lectures: 'operator curriculum:read',
    list_member_purchases: 'operator members:read',
    list_members: 'operator members:read',
    list_membership_plans: 'operator membership_plans:read',
    list_orders: 'operator orders:read',
    list_page_deployments: 'operator pages:read',
    list_pages: 'operator pages:read',
    list_posts: 'operator posts:read',
    list_redemptions_of_coupons: 'operator coupons:read',
    list_reviews_of_courses: 'operator courses:read',
    list_student_progress: 'operator students:read',
    list_students: 'operator students:read',
    list_subscriptions: 'operator subscriptions:read',
    list_webhook_deliveries: 'operator school:read',
    list_webhook_endpoints: 'operator school:read',
    miss_booking: 'operator students:write',
    miss_registration: 'operator events:write',
    move_booking: 'operator students:write',
    promote_page_deployment: 'operator pages:write',
    publish_consulting_service: 'operator courses:write',
    publish_course: 'operator courses:write',
    publish_digital_product: 'operator digital_products:write',
    publish_event: 'operator events:write',
    publish_lecture: 'operator curriculum:write',
    publish_page: 'operator pages:write',
    publish_post: 'operator posts:write',
    reactivate_coupon: 'operator coupons:write',
    read_operation: 'operator',
    record_progress: 'operator students:write',
    redeliver_webhook: 'operator school:write',
    register_student: 'operator events:write',
    reinstate_member: 'operator members:write',
    remove_member: 'operator members:write',
    reorder_curriculum: 'operator curriculum:write',
    resend_student_invitation: 'operator students:write',
    resume_subscription: 'operator subscriptions:write',
    revoke_consulting_purchase: 'operator students:write',
    revoke_digital_product_purchase: 'operator digital_products:write',
    revoke_enrollment: 'operator students:write',
    roll_back_page_deployment: 'operator pages:write',
    run_import: 'operator students:write',
    schedule_announcement: 'operator posts:write',
    search_operations: 'operator',
    send_announcement: 'operator posts:write',
    set_member_roles: 'operator members:write',
    suspend_member: 'operator members:write',
    unpublish_consulting_service: 'operator courses:write',
    unpublish_course: 'operator courses:write',
    unpublish_digital_product: 'operator digital_products:write',
    unpublish_lecture: 'operator curriculum:write',
    unpublish_page: 'operator pages:write',
    unpublish_post: 'operator posts:write',
    unschedule_announcement: 'operator posts:write',
    update_announcement: 'operator posts:write',
    update_appearance: 'operator appearance:write',
    update_category: 'operator courses:write',
    update_consulting_purchase: 'operator students:write',
    update_consulting_service: 'operator courses:write',
    update_consulting_slot: 'operator courses:write',
    update_coupon: 'operator coupons:write',
    update_course: 'operator courses:write',
    update_course_plan: 'operator courses:write',
    update_digital_product: 'operator digital_products:write',
    update_digital_product_purchase: 'operator digital_products:write',
    update_enrollment: 'operator students:write',
    update_event: 'operator events:write',
    update_event_ticket: 'operator events:write',
    update_lecture: 'operator curriculum:write',
    update_lecturer: 'operator lecturers:write',
    update_member: 'operator members:write',
    update_membership_plan: 'operator membership_plans:write',
    update_page: 'operator pages:write',
    update_post: 'operator posts:write',
    update_school: 'operator school:write',
    update_section: 'operator curriculum:write',
    update_student: 'operator students:write',
    update_subscription: 'operator subscriptions:write',
  });
});

/** Every object with members in a schema, at any depth. */
function openObjects(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const open = 'properties' in schema && Reflect.get(schema, 'additionalProperties') !== false ? [path] : [];
  return [...open, ...Object.entries(schema).flatMap(([name, part]) => openObjects(part, `${path}/${name}`))];
}

it('declares a name, a title, one or two sentences that say when to use it, and closed arguments for each', () => {
  for (const { name, title, description, inputSchema, outputSchema } of tools) {
    expect(name).toMatch(/^(?=.{1,64}$)[a-z]+(?:_[a-z]+)+$/);
    expect(title).toMatch(/^[A-Z]/);
    expect(description).toMatch(/^[A-Z][^.]+\. Use it [^.]+\.$/);
    expect(description.length).toBeLessThanOrEqual(300);
    expect([name, openObjects(inputSchema)]).toEqual([name, []]);
    // Responses may get members and values at any time: docs/compatibility.md.
    expect([name, JSON.stringify(outputSchema)]).toEqual([
      name,
      expect.not.stringMatching(/"additionalProperties":false|"enum":/),
    ]);
    // The strict mode of OpenAI has no objects with arbitrary members.
    expect([name, JSON.stringify(inputSchema)]).toEqual([
      name,
      expect.not.stringMatching(/"additionalProperties":(?!false)|"propertyNames"/),
    ]);
  }
});

/** Tools with a read scope that write. They change no object of the scope. */
const BY_READERS = ['create_export'];

/** Actions of which each call has a further effect, unless it has the idempotency key of an earlier one. */
const REPEATING = ['extend_enrollment', 'redeliver_webhook', 'resend_student_invitation'];
const isRepeating = (name: string): boolean =>
  /^(?:change|create|duplicate|generate)_|^grant_consulting_|^invite_/.test(name) || REPEATING.includes(name);

it('separates reading and writing in scopes and in hints', () => {
  for (const { name, audience, description, scopes, inputSchema, annotations } of tools) {
    const reads = /^(?:browse|list|get|search|describe|read)_/.test(name);
    expect([name, annotations.readOnlyHint, annotations.openWorldHint]).toEqual([name, reads, false]);
    expect([name, annotations.idempotentHint]).toEqual([name, !isRepeating(name)]);
    if (REPEATING.includes(name)) expect(description).toContain('idempotency_key');
    if (reads) expect([name, annotations.destructiveHint]).toEqual([name, false]);
    if (/^(?:update|cancel|archive|delete|change|run)_/.test(name)) expect(annotations.destructiveHint).toBe(true);
    if (audience === 'operator')
      for (const scope of scopes) expect(scope).toMatch(reads || BY_READERS.includes(name) ? /:read$/ : /:write$/);
    const members = Object.keys(inputSchema['properties'] as object);
    expect([name, members.includes('dry_run'), members.includes('idempotency_key')]).toEqual([name, !reads, !reads]);
  }
});

it('describes tools by schemas without references, which some clients do not follow', () => {
  for (const { name, inputSchema, outputSchema } of tools) {
    const schemas = JSON.stringify([inputSchema, outputSchema]);
    expect([name, schemas]).toEqual([name, expect.not.stringMatching(/"\$(?:defs|ref)":/)]);
  }
});

it('pages every list in the same way', () => {
  const lists = tools.filter(({ name }) => /^(?:list|search)_|^browse_(?:catalog|.*s)$/.test(name));
  expect(lists.length).toBeGreaterThan(11);
  for (const { name, inputSchema, outputSchema } of lists) {
    expect(inputSchema['properties']).toMatchObject({
      first: { minimum: 1, maximum: 50, default: 20 },
      after: { type: 'string' },
    });
    // The feed of changes has no last page.
    const more = name === 'list_changes' ? ['has_more'] : [];
    expect(Object.keys(outputSchema?.['properties'] as object)).toEqual(['items', 'next_cursor', ...more]);
  }
});

it('marks at most as many tools as core as the gateway lists at once', () => {
  const core = tools.filter((tool) => tool.core).map(({ name }) => name);
  expect(core).toEqual(
    expect.arrayContaining(['browse_catalog', 'search_operations', 'read_operation', 'change_operation']),
  );
  expect(core.length).toBeLessThanOrEqual(25);
});
