import { Injectable } from '@nestjs/common';
import type { INestApplicationContext, Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TOOLS_BUCKET, capabilitySubject, toolsEntrySchema } from '@lyceum/contracts';
import type { Principal, Reply, ServiceName } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { KeyValue, Nats, Requests } from '@lyceum/messaging';
import { eventually, testNats } from '@lyceum/testing';
import type { TestNats } from '@lyceum/testing';
import { z } from 'zod';
import { Tool } from '../src/index.js';
import type { ToolCall } from '../src/index.js';
import { ToolNames } from '../src/tool-names.js';
import { ToolsDiscovery } from '../src/tools.discovery.js';
import { catalogOf, closeServices, openContext, startService } from './service.js';

const SITE = '018f3b1e-0000-7000-8000-000000000001';
const operator: Principal = {
  person_id: '018f3b1e-0000-7000-8000-000000000002',
  member_id: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a',
  site_id: SITE,
  client_id: 'c',
  audience: 'operator',
  scopes: ['courses:read'],
  roles: ['owner'],
  grant_id: 'g',
  token_fingerprint: '0123456789abcdef',
  expires_at: 2_000_000_000,
};

const input = z.object({
  first: z.int().min(1).max(50).default(20),
  filter: z.object({ slug: z.string() }).optional(),
});
const output = z.object({ items: z.array(z.object({ slug: z.string() })) });

@Injectable()
class CourseTools {
  readonly prefix = 'course';
  readonly calls: ToolCall<z.infer<typeof input>>[] = [];

  @Tool({
    name: 'list_courses',
    title: 'List courses',
    description: 'Lists the courses of the site.',
    audience: 'operator',
    scopes: ['courses:read'],
    input,
    output,
    annotations: { readOnlyHint: true },
  })
  async listCourses(call: ToolCall<z.infer<typeof input>>): Promise<z.infer<typeof output>> {
    this.calls.push(call);
    await Promise.resolve();
    const internal = { slug: `${this.prefix}-1`, price_paid: 12 };
    return { items: [internal] };
  }

  @Tool({
    name: 'browse_course',
    title: 'Get a course',
    description: 'Reads one published course.',
    audience: 'public',
    scopes: [],
    toolset: 'catalog',
    input: z.object({ slug: z.string() }),
    output: z.object({ slug: z.string() }),
    annotations: { readOnlyHint: true },
  })
  getCourse(call: ToolCall<{ slug: string }>): Promise<{ slug: string }> {
    if (call.input.slug === 'broken') throw new Error('the database says: secret');
    if (call.input.slug === 'none') throw new ApiError('not_found', 'No course has this slug.', { hint: 'List them.' });
    return Promise.resolve({ slug: call.input.slug });
  }

  notATool(): string {
    return 'this is not offered';
  }
}

@Injectable()
class DuplicateTools {
  @Tool({
    name: 'browse_course',
    title: 'Another',
    description: 'Takes a name that is taken.',
    audience: 'public',
    scopes: [],
    toolset: 'catalog',
    input: z.object({}),
    output: z.object({}),
    annotations: { readOnlyHint: true },
  })
  again(): Promise<object> {
    return Promise.resolve({});
  }
}

@Injectable()
class ForeignTools {
  @Tool({
    name: 'get_page',
    title: 'A page',
    description: 'Has the name of a tool for operators.',
    audience: 'public',
    scopes: [],
    toolset: 'pages',
    input: z.object({}),
    output: z.object({}),
    annotations: { readOnlyHint: true },
  })
  page(): Promise<object> {
    return Promise.resolve({});
  }
}

let nats: TestNats;
beforeAll(async () => {
  nats = await testNats();
});
afterEach(closeServices);
afterAll(() => nats.stop());

const start = (service: ServiceName, providers: Type[], tools = true): Promise<INestApplicationContext> =>
  startService({ service, nats, providers, tools });

/** A gateway, the service with the tools, and a way to call them. */
async function both() {
  const school = await start('admin-api', [CourseTools]);
  const gateway = await start('mcp-gateway', [], false);
  const catalogs = gateway.get(KeyValue).mirror(TOOLS_BUCKET, toolsEntrySchema);
  await Promise.all([school.get(Nats).ready(), gateway.get(Nats).ready()]);
  await eventually(() => catalogOf(catalogs, 'admin-api') !== undefined);
  const { tools } = catalogOf(catalogs, 'admin-api') ?? { tools: [] };
  const subjectOf = (name: string) =>
    capabilitySubject('admin-api', 'tool', tools.find((tool) => tool.name === name) ?? { name, version: 'none' });
  await (await school.get(Nats).ready()).flush();
  const call = (tool: string, args: unknown, principal: Principal | null = operator, key?: string): Promise<Reply> =>
    gateway.get(Requests).call(subjectOf(tool), { arguments: args }, { site_id: SITE, principal, idempotencyKey: key });
  return { school, gateway, catalogs, call, tools: school.get(CourseTools) };
}

test('publishes the catalog: sorted, with schemas and hints, and only declared tools', async () => {
  const { catalogs } = await both();
  const catalog = catalogOf(catalogs, 'admin-api');
  expect(catalog?.service).toBe('admin-api');
  expect(catalog?.tools.map(({ name }) => name)).toEqual(['browse_course', 'list_courses']);
  expect(catalog?.tools[1]).toMatchObject({
    audience: 'operator',
    scopes: ['courses:read'],
    inputSchema: { type: 'object', additionalProperties: false },
    annotations: { readOnlyHint: true, destructiveHint: false },
  });
});

test('calls the method on its instance with parsed arguments and caller, and filters the result by the schema', async () => {
  const { call, tools } = await both();
  const before = Date.now();
  expect(await call('list_courses', {}, operator, 'key-1')).toEqual({
    ok: true,
    result: { items: [{ slug: 'course-1' }] },
  });
  expect(tools.calls[0]).toMatchObject({
    input: { first: 20 },
    principal: operator,
    site_id: SITE,
    idempotencyKey: 'key-1',
  });
  expect(tools.calls[0]?.deadline).toBeGreaterThan(before);
});

test('allows an anonymous caller the public tools only', async () => {
  const { call, tools } = await both();
  expect(await call('browse_course', { slug: 'drawing' }, null)).toEqual({ ok: true, result: { slug: 'drawing' } });
  expect(await call('list_courses', {}, null)).toMatchObject({ ok: false, error: { code: 'invalid_token' } });
  expect(tools.calls).toEqual([]);
});

test('refuses a principal of another site, or without the scopes, before validating the arguments', async () => {
  const { call, tools } = await both();
  const foreign = { ...operator, site_id: '018f3b1e-0000-7000-8000-000000000009' };
  expect(await call('list_courses', { first: 'x' }, foreign)).toMatchObject({ error: { code: 'forbidden' } });
  expect(await call('browse_course', { slug: 'drawing' }, foreign)).toMatchObject({ error: { code: 'forbidden' } });
  const poor = { ...operator, scopes: ['students:read'] };
  expect(await call('list_courses', {}, poor)).toMatchObject({ error: { code: 'insufficient_scope' } });
  expect(tools.calls).toEqual([]);
});

test('returns a pointer and a hint for each invalid argument, so that a model can correct it', async () => {
  const { call } = await both();
  const reply = await call('list_courses', { first: 51, filter: {}, color: 'red' });
  expect(reply).toMatchObject({
    ok: false,
    error: { code: 'validation_failed', hint: expect.stringContaining('list_courses') },
  });
  const errors = reply.ok ? [] : reply.error.errors;
  expect(errors?.map(({ pointer }) => pointer).sort()).toEqual(['/color', '/filter/slug', '/first']);
  expect(await call('list_courses', { first: 50 })).toMatchObject({ ok: true });
  expect(await call('list_courses', 'none')).toMatchObject({ ok: false, error: { code: 'invalid_request' } });
});

test('returns an API error of the method with its detail, and an unexpected error only as "internal"', async () => {
  const { call } = await both();
  expect(await call('browse_course', { slug: 'none' })).toEqual({
    ok: false,
    error: { code: 'not_found', detail: 'No course has this slug.', hint: 'List them.' },
  });
  const fault = await call('browse_course', { slug: 'broken' });
  expect(fault).toMatchObject({ ok: false, error: { code: 'internal' } });
  expect(JSON.stringify(fault)).not.toContain('secret');
});

test('rejects a duplicate name at the start', async () => {
  const providers = [ToolNames, ToolsDiscovery, CourseTools, DuplicateTools];
  const app = await openContext({ imports: [DiscoveryModule], providers });
  expect(() => app.get(ToolsDiscovery).find()).toThrow('The tool "browse_course": it is declared twice');
});

test('rejects a name outside of the scheme at the start', async () => {
  const app = await openContext({ imports: [DiscoveryModule], providers: [ToolNames, ToolsDiscovery, ForeignTools] });
  expect(() => app.get(ToolsDiscovery).find()).toThrow('The tool "get_page": the name of a public tool is browse_');
});

test('starts without NATS, and publishes the catalog when NATS is connected', async () => {
  await nats.kill();
  const school = await start('member-api', [CourseTools]);
  const gateway = await start('mcp-gateway', [], false);
  const catalogs = gateway.get(KeyValue).mirror(TOOLS_BUCKET, toolsEntrySchema);
  expect(school.get(Nats).connected).toBe(false);
  await nats.restart();
  await eventually(() => catalogOf(catalogs, 'member-api')?.tools.length === 2);
});
