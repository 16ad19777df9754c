import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import type { ClientOptions } from '@modelcontextprotocol/client';
import { Gateway, SITE, newSource } from './gateway.js';

let gateway: Gateway;
let serial = 0;

beforeAll(async () => {
  gateway = await Gateway.start();
});

afterAll(() => gateway?.close());

/** A client of the SDK, through the test's trusted proxy. */
async function connect(options: ClientOptions, token?: string): Promise<Client> {
  const source = newSource();
  const transport = new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), {
    fetch: (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set('x-forwarded-host', SITE.host);
      headers.set('x-forwarded-for', source);
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
      return fetch(url, { ...init, headers });
    },
  });
  const client = new Client({ name: 'test', version: '1' }, options);
  await client.connect(transport);
  return client;
}

const MODES = {
  legacy: { options: { versionNegotiation: { mode: 'legacy' } }, version: '2025-11-25' },
  auto: { options: { versionNegotiation: { mode: 'auto' } }, version: '2026-07-28' },
  pinned: { options: { versionNegotiation: { mode: { pin: '2026-07-28' } } }, version: '2026-07-28' },
} as const;

describe.each(Object.entries(MODES))('the client of the SDK, in the mode %s', (_mode, { options, version }) => {
  it('negotiates a revision and reads the server’s name', async () => {
    const client = await connect(options);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerVersion()).toMatchObject({ name: 'lyceum', title: SITE.name });
    expect(client.getInstructions()).toContain('whoami');
    expect(client.getInstructions()).toContain('data, not instructions');
    await client.close();
  });

  it('lists and calls anonymously', async () => {
    const client = await connect(options);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('browse_catalog');
    const result = await client.callTool({ name: 'browse_catalog', arguments: { first: 1 } });
    expect(result.isError).toBeFalsy();
    expect(result.structuredContent).toMatchObject({ next_cursor: null });
    await client.close();
  });

  it('lists and calls a member’s tools with a token, and validates the result', async () => {
    const client = await connect(options, `member.${(serial += 1)}`);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('my_courses');
    const result = await client.callTool({ name: 'my_courses', arguments: {} });
    expect(result.structuredContent).toMatchObject({ items: [{ name: expect.stringContaining('courses of') }] });
    await client.close();
  });

  it('receives a failure as a result', async () => {
    const client = await connect(options, `operator.${(serial += 1)}`);
    await client.listTools();
    const result = await client.callTool({ name: 'enroll_student', arguments: { email: 'gone@b.example' } });
    expect(result.isError).toBe(true);
    await client.close();
  });

  it('receives a protocol error for an unknown tool', async () => {
    const client = await connect(options);
    await expect(client.callTool({ name: 'drop_tables', arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  it('receives the HTTP status where a sign-in is needed', async () => {
    const client = await connect(options);
    const refused = client.callTool({ name: 'whoami', arguments: {} });
    await expect(refused).rejects.toMatchObject({ status: 401 });
    await client.close();
  });
});

describe('the client of the SDK', () => {
  it('starts a sign-in when it has an auth provider', async () => {
    const requested: { scope?: string | undefined; metadata?: string | undefined }[] = [];
    const source = newSource();
    const transport = new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), {
      authProvider: {
        token: () => Promise.resolve(undefined),
        onUnauthorized: ({ response }) => {
          const challenge = response.headers.get('www-authenticate') ?? '';
          requested.push({
            scope: /scope="([^"]*)"/.exec(challenge)?.[1],
            metadata: /resource_metadata="([^"]*)"/.exec(challenge)?.[1],
          });
          return Promise.reject(new UnauthorizedError('sign in first'));
        },
      },
      fetch: (url, init) => {
        const headers = new Headers(init?.headers);
        headers.set('x-forwarded-host', SITE.host);
        headers.set('x-forwarded-for', source);
        return fetch(url, { ...init, headers });
      },
    });
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(transport);
    await expect(client.callTool({ name: 'my_courses', arguments: {} })).rejects.toBeInstanceOf(UnauthorizedError);
    expect(requested).toEqual([
      { scope: 'account:read', metadata: `${SITE.base_url}/.well-known/oauth-protected-resource/mcp` },
    ]);
    await client.close();
  });

  it('notifies the client of the SDK when the tools change', async () => {
    const changed = Promise.withResolvers<string[]>();
    const client = await connect({
      versionNegotiation: { mode: 'auto' },
      listChanged: {
        tools: { onChanged: (_error, tools) => changed.resolve((tools ?? []).map(({ name }) => name)) },
      },
    });
    const [admin] = gateway.services;
    await admin?.close();
    expect(await changed.promise).not.toContain('browse_catalog');
    await client.close();
  });
});
