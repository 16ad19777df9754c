import { approve } from '@lyceum/testing';
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/client';
import { clientOf, personOf, systemStack } from '../stack/system-stack.js';
import { Recipe } from './recipe.js';
import { callbackOf } from './stateless-provider.js';
import { type ToolClient, ToolClientProvider, connectTools } from './tool-client.js';

const site = systemStack().sites[0]!;
const owner = personOf(site, 'owner');
/** An unknown notification: the call is authorized, and the tool finds nothing. */
const NOBODYS = '018f0000-0000-7000-8000-000000000000';

type RecipeProvider = OAuthClientProvider & { readonly authorizationUrl?: URL };
interface RecipeExports {
  readonly Provider: new () => RecipeProvider;
  callTool(
    provider: RecipeProvider,
    name: string,
    signIn: (url?: URL) => Promise<URLSearchParams>,
  ): Promise<{ structuredContent?: unknown }>;
}

/** The person approves the request of the client. Returns its scopes. */
async function response(tools: ToolClient, provider: ToolClientProvider, person = owner): Promise<string[]> {
  const url = provider.authorizationUrl!;
  await tools.transport.finishAuth((await approve(url, person)).searchParams);
  return url.searchParams.get('scope')!.split(' ').sort();
}

describe('the MCP SDK 2.x client that registers itself', () => {
  const provider = new ToolClientProvider();
  let tools: ToolClient;

  beforeAll(async () => {
    tools = await connectTools(site.base_url, { provider });
  });
  afterAll(() => tools?.client.close());

  it('lists public tools anonymously in the newest revision', async () => {
    expect(tools.client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const names = (await tools.client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['browse_catalog', 'whoami']));
    expect(names).not.toContain('list_courses');
    expect(provider.clientInformation()).toBeUndefined();
  });

  it('reads the instructions and the catalog anonymously', async () => {
    const profile = await tools.client.callTool({ name: 'get_school_profile', arguments: {} });
    expect(profile.structuredContent).toMatchObject({ url: site.base_url, currency: 'TWD' });
    const search = await tools.client.callTool({ name: 'browse_catalog', arguments: { first: 50 } });
    const { items } = search.structuredContent as { items: { type: string; slug: string }[] };
    expect(new Set(items.map(({ type }) => type)).size).toBe(4);
    for (const { type, slug } of items) {
      const item = await tools.client.callTool({ name: 'browse_item', arguments: { type, slug } });
      expect(item.structuredContent).toMatchObject({ type, slug });
    }
  });

  it('registers on its loopback address at a 401 and requests the scope of the tool', async () => {
    await expect(tools.client.callTool({ name: 'whoami', arguments: {} })).rejects.toThrow(UnauthorizedError);
    expect(provider.clientInformation()).toMatchObject({ client_id: expect.any(String) });
    expect(provider.authorizationUrl!.searchParams.get('resource')).toBe(`${site.base_url}/mcp`);
    expect(await response(tools, provider)).toEqual(['openid']);
    const me = await tools.client.callTool({ name: 'whoami', arguments: {} });
    expect(me.structuredContent).toMatchObject({ member_id: expect.any(String) });
  });

  it('requests more scopes at a 403, keeps the ones it has, and calls the tool', async () => {
    const call = () => tools.client.callTool({ name: 'list_courses', arguments: { first: 1 } });
    await expect(call()).rejects.toThrow(UnauthorizedError);
    expect(await response(tools, provider)).toEqual(['courses:read', 'openid']);
    expect((await call()).structuredContent).toMatchObject({ items: expect.any(Array) });
    expect((await tools.client.listTools()).tools.map(({ name }) => name)).toContain('list_courses');
  });

  it('runs an operation of the REST API only with the scope of that operation', async () => {
    const read = (operation_id: string) =>
      tools.client.callTool({
        name: 'read_operation',
        arguments: { operation_id, arguments_json: '{"query":{"limit":1}}' },
      });
    expect((await read('listCourses')).structuredContent).toMatchObject({ status: 200 });
    await expect(read('listStudents')).rejects.toThrow(UnauthorizedError);
    expect(await response(tools, provider)).toEqual(['courses:read', 'openid', 'students:read']);
    expect((await read('listStudents')).structuredContent).toMatchObject({ status: 200 });
  });

  it('refreshes its tokens by itself when they stop working', async () => {
    const stale = provider.tokens()!;
    provider.saveTokens({ ...stale, access_token: 'forgotten' });
    const result = await tools.client.callTool({ name: 'list_courses', arguments: { first: 1 } });
    expect(result.isError ?? false).toBe(false);
    expect(provider.tokens()!.access_token).not.toBe(stale.access_token);
  });

  it('cannot request member scopes, which need a client of the site', async () => {
    await expect(tools.client.callTool({ name: 'my_courses', arguments: {} })).rejects.toThrow(UnauthorizedError);
    await expect(response(tools, provider)).rejects.toMatchObject({ code: 'invalid_scope' });
  });
});

describe('the MCP SDK 2.x client with a member client', () => {
  it('steps up from reading to writing', async () => {
    const student = personOf(site, 'student');
    const provider = new ToolClientProvider({
      client_id: clientOf(site, 'member', 'public').client_id,
      issuer: site.base_url,
    });
    const tools = await connectTools(site.base_url, { provider });
    const read = () => tools.client.callTool({ name: 'my_notifications', arguments: {} });
    const write = () =>
      tools.client.callTool({ name: 'mark_notification_read', arguments: { notification_id: NOBODYS } });

    await expect(read()).rejects.toThrow(UnauthorizedError);
    expect(await response(tools, provider, student)).toEqual(['account:read']);
    expect((await read()).isError ?? false).toBe(false);

    await expect(write()).rejects.toThrow(UnauthorizedError);
    expect(await response(tools, provider, student)).toEqual(['account:read', 'account:write']);
    expect(JSON.stringify((await write()).content)).toContain('not_found');
    await tools.client.close();
  });
});

describe('the MCP SDK 2.x client of the recipe, whose provider has no state()', () => {
  it('registers, signs in and calls a tool', async () => {
    const { Provider, callTool } = new Recipe('mcp-sdk-2', site.base_url).run<RecipeExports>();
    const provider = new Provider();
    const result = await callTool(provider, 'whoami', (url) => callbackOf(url, 'owner'));
    expect(provider.authorizationUrl?.searchParams.has('state')).toBe(false);
    expect(result.structuredContent).toMatchObject({ member_id: expect.any(String) });
  });
});
