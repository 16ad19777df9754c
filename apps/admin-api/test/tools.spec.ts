import type { ToolDescription } from '@lyceum/contracts';
import { publishedCapabilities } from '@lyceum/testing';
import { connect } from '@nats-io/transport-node';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';

let api: TestApi;
let tools: readonly ToolDescription[];

beforeAll(async () => {
  api = await startAdminApi();
  const { NATS_URL, NATS_USER, NATS_PASSWORD } = api.nats.environment('admin');
  const connection = await connect({ servers: NATS_URL, user: NATS_USER, pass: NATS_PASSWORD });
  ({ tools } = await publishedCapabilities(connection, 'admin-api'));
  await connection.close();
});
afterAll(() => api.stop());

it('lists these tools for these callers', () => {
  expect(
    Object.fromEntries(tools.map(({ name, audience, scopes }) => [name, `${audience} ${scopes.join(' ')}`.trim()])),
  ).toEqual({
    archive_course: 'operator courses:write',
    browse_catalog: 'public',
    browse_course: 'public',
    browse_events: 'public',
    browse_item: 'public',
    browse_lecturers: 'public',
    browse_page: 'public',
    browse_plans: 'public',
    change_operation: 'operator',
    create_category: 'operator courses:write',
    create_course: 'operator courses:write',
    create_course_plan: 'operator courses:write',
    create_lecture: 'operator curriculum:write',
    create_lecturer: 'operator lecturers:write',
    create_section: 'operator curriculum:write',
    delete_category: 'operator courses:write',
    delete_course: 'operator courses:write',
    delete_course_plan: 'operator courses:write',
    delete_lecture: 'operator curriculum:write',
    delete_lecturer: 'operator lecturers:write',
    delete_section: 'operator curriculum:write',
    describe_operation: 'operator',
    enroll_student: 'operator students:write',
    get_appearance: 'operator appearance:read',
    get_course: 'operator courses:read',
    get_curriculum: 'operator curriculum:read',
    get_digital_product: 'operator digital_products:read',
    get_event: 'operator events:read',
    get_lecture: 'operator curriculum:read',
    get_lecturer: 'operator lecturers:read',
    get_membership_plan: 'operator membership_plans:read',
    get_school_profile: 'public',
    get_student: 'operator students:read',
    list_activity: 'operator school:read',
    list_categories: 'operator courses:read',
    list_course_plans: 'operator courses:read',
    list_courses: 'operator courses:read',
    list_digital_products: 'operator digital_products:read',
    list_enrollments: 'operator students:read',
    list_events: 'operator events:read',
    list_lecturers: 'operator lecturers:read',
    list_lectures: 'operator curriculum:read',
    list_membership_plans: 'operator membership_plans:read',
    list_pages: 'operator pages:read',
    list_student_progress: 'operator students:read',
    list_students: 'operator students:read',
    publish_course: 'operator courses:write',
    publish_lecture: 'operator curriculum:write',
    read_operation: 'operator',
    record_progress: 'operator students:write',
    reorder_curriculum: 'operator curriculum:write',
    revoke_enrollment: 'operator students:write',
    search_operations: 'operator',
    unpublish_course: 'operator courses:write',
    unpublish_lecture: 'operator curriculum:write',
    update_appearance: 'operator appearance:write',
    update_category: 'operator courses:write',
    update_course: 'operator courses:write',
    update_course_plan: 'operator courses:write',
    update_enrollment: 'operator students:write',
    update_lecture: 'operator curriculum:write',
    update_lecturer: 'operator lecturers:write',
    update_section: 'operator curriculum:write',
  });
});

/** Every object with members in a schema, at any depth. */
function openObjects(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const open = 'properties' in schema && Reflect.get(schema, 'additionalProperties') !== false ? [path] : [];
  return [...open, ...Object.entries(schema).flatMap(([name, part]) => openObjects(part, `${path}/${name}`))];
}

it('has a name, a title, one or two sentences that say when to use it, and closed schemas for each', () => {
  for (const { name, title, description, inputSchema, outputSchema } of tools) {
    expect(name).toMatch(/^(?=.{1,64}$)[a-z]+(?:_[a-z]+)+$/);
    expect(title).toMatch(/^[A-Z]/);
    expect(description).toMatch(/^[A-Z][^.]+\. Use it [^.]+\.$/);
    expect(description.length).toBeLessThanOrEqual(300);
    expect([name, openObjects(inputSchema), openObjects(outputSchema)]).toEqual([name, [], []]);
    // The strict mode of OpenAI has no objects with arbitrary members.
    expect([name, JSON.stringify(inputSchema)]).toEqual([
      name,
      expect.not.stringMatching(/"additionalProperties":(?!false)|"propertyNames"/),
    ]);
  }
});

it('separates reading and writing in scopes and in hints', () => {
  for (const { name, audience, scopes, inputSchema, annotations } of tools) {
    const reads = /^(?:browse|list|get|search|describe|read)_/.test(name);
    expect([name, annotations.readOnlyHint, annotations.openWorldHint]).toEqual([name, reads, false]);
    if (reads) expect([name, annotations.destructiveHint, annotations.idempotentHint]).toEqual([name, false, true]);
    if (/^(?:update|cancel|archive|delete|change)_/.test(name)) expect(annotations.destructiveHint).toBe(true);
    if (/^(?:create|change)_/.test(name)) expect([name, annotations.idempotentHint]).toEqual([name, false]);
    if (audience === 'operator') for (const scope of scopes) expect(scope).toMatch(reads ? /:read$/ : /:write$/);
    const members = Object.keys(inputSchema['properties'] as object);
    expect([name, members.includes('dry_run'), members.includes('idempotency_key')]).toEqual([name, !reads, !reads]);
  }
});

it('pages every list in the same way', () => {
  const lists = tools.filter(({ name }) => /^(?:list|search)_|^browse_(?:catalog|.*s)$/.test(name));
  expect(lists.length).toBeGreaterThan(11);
  for (const { inputSchema, outputSchema } of lists) {
    expect(inputSchema['properties']).toMatchObject({
      first: { minimum: 1, maximum: 50, default: 20 },
      after: { type: 'string' },
    });
    expect(Object.keys(outputSchema?.['properties'] as object)).toEqual(['items', 'next_cursor']);
  }
});

it('marks at most as many tools as core as the gateway lists at once', () => {
  const core = tools.filter((tool) => tool.core).map(({ name }) => name);
  expect(core).toEqual(
    expect.arrayContaining(['browse_catalog', 'search_operations', 'read_operation', 'change_operation']),
  );
  expect(core.length).toBeLessThanOrEqual(25);
});
