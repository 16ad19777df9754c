import { Tool } from '@lyceum/tools';
import { z } from 'zod';
import { PAGE_SIZE } from '#src/catalog/listing.policy.js';
import { ERAS, Gateway, send } from './gateway.js';
import type { Era } from './gateway.js';

class ManyTools {}

const NAMES = Array.from({ length: 2 * PAGE_SIZE + 1 }, (_none, i) => `tool_${String(i).padStart(3, '0')}`);
for (const name of NAMES) {
  const descriptor = { value: (): Promise<object> => Promise.resolve({}), configurable: true, writable: true };
  Object.defineProperty(ManyTools.prototype, name, descriptor);
  const input = z.object({});
  const annotations = { readOnlyHint: true };
  const shown = { title: 'x', description: 'x', audience: 'public', scopes: [], toolset: 'many' } as const;
  Tool({ ...shown, name, input, output: input, annotations })(ManyTools.prototype, name, descriptor);
}

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start({ capabilities: { 'admin-api': [ManyTools] } });
});

afterAll(() => gateway?.close());

const page = async (era: Era, cursor: unknown, toolsets: string) => {
  const params = cursor === undefined ? {} : { cursor };
  const { body } = await send(
    gateway.url,
    era,
    { method: 'tools/list', params },
    { headers: { 'x-mcp-toolsets': toolsets } },
  );
  return { names: (body.result?.tools ?? []).map(({ name }) => name), next: body.result?.['nextCursor'] };
};

it.each(ERAS)('continues a list from page to page, in the %s era, and lists each tool once', async (era) => {
  const pages: string[][] = [];
  let cursor: unknown;
  do {
    const { names, next } = await page(era, cursor, 'many');
    pages.push(names);
    cursor = next;
  } while (cursor !== undefined);
  expect(pages.map(({ length }) => length)).toEqual([PAGE_SIZE, PAGE_SIZE, 1]);
  expect(pages.flat()).toEqual(NAMES);
});

it('applies the toolset filter to a cursor', async () => {
  const { next } = await page('modern', undefined, 'many');
  expect((await page('modern', next, 'whoami')).names).toEqual(['whoami']);
});

it('lists the core set without toolsets when the list is long', async () => {
  const { body } = await send(gateway.url, 'modern', { method: 'tools/list' });
  expect(body.result?.tools?.map(({ name }) => name)).toEqual(['whoami']);
  expect(body.result?.['nextCursor']).toBeUndefined();
});
