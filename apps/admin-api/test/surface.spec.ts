import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildDocument } from '@lyceum/rest';
import { ToolsDiscovery } from '@lyceum/tools';
import { surface } from '#src/surface.js';
import { startAdminApi } from './admin-api.js';
import type { TestApi } from './admin-api.js';

/** Members that only people and models read. The version of a tool is a hash of its texts too. */
const TEXTS = new Set(['description', 'summary', 'title', 'examples', 'version', 'icon']);
/** Lists whose order means nothing. */
const SETS = new Set(['required', 'enum', 'scopes', 'parameters']);

/** The same value without texts, with sorted members. Members of `properties` are names, not texts. */
function withoutTexts(value: unknown, member = ''): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutTexts(item));
    return SETS.has(member) ? items.map((item) => JSON.stringify(item)).sort() : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => member === 'properties' || !TEXTS.has(name));
  return Object.fromEntries(
    kept.map(([name, inner]) => [name, withoutTexts(inner, name)]).sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );
}

const baseline = (name: string): unknown =>
  JSON.parse(readFileSync(join(__dirname, '../../../docs/compatibility', name), 'utf8'));
const plain = (value: unknown): unknown => withoutTexts(JSON.parse(JSON.stringify(value)));

let api: TestApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api.stop());

it.each(['paths', 'components'] as const)('keeps the %s of the compatibility baseline', (part) => {
  const expected = baseline('openapi.json') as Record<string, object>;
  const { examples: _examples, ...document } = buildDocument(surface)[part] as Record<string, unknown>;
  const { examples: _old, ...old } = expected[part] as Record<string, unknown>;
  expect(plain(document)).toEqual(plain(old));
});

it('keeps the tools of the compatibility baseline', () => {
  const { tools } = api.service.app.get(ToolsDiscovery, { strict: false }).find().catalogue;
  expect(plain(tools)).toEqual(plain(baseline('tools.json')));
});
