import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { systemStack } from '../stack/system-stack.js';
import { Recipe } from './recipe.js';

const { base_url } = systemStack().sites[0]!;

type Servers = Readonly<Record<string, { readonly type: string; readonly url: string }>>;

it.each([
  ['Cursor and Claude Code', new Recipe('cursor', base_url), 'mcpServers'],
  ['VS Code', new Recipe('vs-code', base_url), 'servers'],
])('configures %s for the tools', async (_name, recipe, member) => {
  const configuration = JSON.parse(recipe.block('json')) as Record<string, Servers>;
  const [server] = Object.values(configuration[member] ?? {});
  expect(server?.type).toBe('http');
  const client = new Client({ name: 'application', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(server?.url ?? '')));
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('whoami');
  await client.close();
});
