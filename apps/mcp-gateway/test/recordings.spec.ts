import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { SchoolTools } from './fixture.tools.js';
import { Gateway } from './gateway.js';
import { recorder, replay } from './recorder.js';
import type { Recorded } from './recorder.js';

/** Recorded requests of released clients. `RECORD=1` rewrites the files; review the difference. */
const DIRECTORY = join(__dirname, 'recordings');
const RECORDING = process.env['RECORD'] === '1';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start();
  SchoolTools.release.resolve();
});

afterAll(() => gateway?.close());

type Speaker = Pick<
  Client,
  'listTools' | 'listResources' | 'listResourceTemplates' | 'readResource' | 'listPrompts' | 'getPrompt' | 'complete'
> & { callTool: (call: { name: string; arguments: Record<string, unknown> }, progress?: true) => Promise<unknown> };

/** All requests of a client, including refused ones. */
async function converse(client: Speaker): Promise<void> {
  await client.listTools();
  await client.listResources();
  await client.listResourceTemplates();
  await client.listPrompts();
  await client.callTool({ name: 'browse_catalog', arguments: { first: 2 } });
  await client.callTool({ name: 'wait_for_it', arguments: {} }, true);
  await client.readResource({ uri: 'school://courses/drawing' });
  await client.complete({
    ref: { type: 'ref/resource', uri: 'school://courses/{slug}' },
    argument: { name: 'slug', value: 'd' },
  });
  const attempts = [
    client.callTool({ name: 'my_courses', arguments: {} }),
    client.callTool({ name: 'list_courses', arguments: {} }),
    client.callTool({ name: 'drop_tables', arguments: {} }),
    client.getPrompt({ name: 'plan_my_study_week', arguments: { hours: '5' } }),
    client.readResource({ uri: 'school://orders' }),
    client.readResource({ uri: 'school://nothing' }),
  ];
  await Promise.allSettled(attempts);
}

const NOTHING = (): void => undefined;

async function recordCurrent(mode: 'legacy' | 'auto', token: string | null): Promise<Recorded[]> {
  const { fetch, conversation } = recorder(gateway.url, token);
  const client = new Client({ name: 'recorded', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), { fetch }));
  const callTool: Speaker['callTool'] = (call, progress) =>
    client.callTool(call, progress === true ? { onprogress: NOTHING } : undefined);
  await converse(Object.assign(Object.create(client) as Client, { callTool }));
  await client.close();
  return conversation;
}

async function recordOlder(token: string | null): Promise<Recorded[]> {
  const { fetch, conversation } = recorder(gateway.url, token);
  const client = new OlderClient({ name: 'recorded', version: '1' });
  const transport = new OlderTransport(new URL(`${gateway.url}/mcp`), { fetch });
  await client.connect(transport);
  const callTool: Speaker['callTool'] = (call, progress) =>
    client.callTool(call, undefined, progress === true ? { onprogress: NOTHING } : undefined);
  await converse(Object.assign(Object.create(client) as object, { callTool }) as unknown as Speaker);
  await client.close();
  return conversation;
}

const CONVERSATIONS: Record<string, () => Promise<Recorded[]>> = {
  'sdk-1-anonymous': () => recordOlder(null),
  'sdk-1-member': () => recordOlder('member'),
  'sdk-2-older-anonymous': () => recordCurrent('legacy', null),
  'sdk-2-older-member': () => recordCurrent('legacy', 'member'),
  'sdk-2-modern-anonymous': () => recordCurrent('auto', null),
  'sdk-2-modern-member': () => recordCurrent('auto', 'member'),
};

if (RECORDING) {
  describe('recording', () => {
    it.each(Object.entries(CONVERSATIONS))('records %s', async (name, record) => {
      const conversation = await record();
      expect(conversation.length).toBeGreaterThanOrEqual(15);
      writeFileSync(join(DIRECTORY, `${name}.json`), `${JSON.stringify(conversation, null, 2)}\n`);
    });
  });
} else {
  describe('recordings', () => {
    const files = readdirSync(DIRECTORY).filter((file) => file.endsWith('.json'));

    it('finds a recording of each client', () => {
      expect(files.map((file) => file.replace('.json', ''))).toEqual(Object.keys(CONVERSATIONS).toSorted());
    });

    it.each(files)('returns the recorded responses: %s', async (file) => {
      const conversation = JSON.parse(readFileSync(join(DIRECTORY, file), 'utf8')) as Recorded[];
      expect(conversation.length).toBeGreaterThanOrEqual(15);
      for (const { request, answer } of conversation) {
        expect({ request, answer: await replay(gateway.url, request) }).toEqual({ request, answer });
      }
    });
  });
}
