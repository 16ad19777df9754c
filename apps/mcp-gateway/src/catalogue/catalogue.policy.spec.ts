import type { ToolCatalogue, ToolDescription } from '@lyceum/contracts';
import { mergeCatalogues } from './catalogue.policy.js';

const tool = (name: string): ToolDescription => ({
  name,
  title: name,
  description: name,
  audience: 'public',
  scopes: [],
  toolset: 'courses',
  core: false,
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
});

const catalogues = (...all: [string, ToolCatalogue][]): Map<string, ToolCatalogue> => new Map(all);

const merge = (all: ReadonlyMap<string, ToolCatalogue>) => mergeCatalogues(all, 'mcp-gateway');

describe('the merged catalogue', () => {
  it('has the tools of all services, sorted by name, each with its owner', () => {
    const { tools, refused } = merge(
      catalogues(
        ['member-api', { service: 'member-api', tools: [tool('list_my_courses')] }],
        ['admin-api', { service: 'admin-api', tools: [tool('search_catalog'), tool('get_course')] }],
      ),
    );
    expect([...tools.values()].map(({ name, service }) => `${name}@${service}`)).toEqual([
      'get_course@admin-api',
      'list_my_courses@member-api',
      'search_catalog@admin-api',
    ]);
    expect(refused).toEqual([]);
  });

  it('gives a name that two services claim to neither, whatever the order of arrival', () => {
    const first: [string, ToolCatalogue] = [
      'admin-api',
      { service: 'admin-api', tools: [tool('get_course'), tool('a')] },
    ];
    const second: [string, ToolCatalogue] = ['zz-api', { service: 'zz-api', tools: [tool('get_course')] }];
    for (const order of [catalogues(first, second), catalogues(second, first)]) {
      const { tools, refused } = merge(order);
      expect([...tools.keys()]).toEqual(['a']);
      expect(refused).toEqual(['get_course: claimed by admin-api, zz-api']);
    }
  });

  it('keeps the gateway’s own tools, whoever claims them', () => {
    const { tools, refused } = merge(
      catalogues(
        ['admin-api', { service: 'admin-api', tools: [tool('whoami')] }],
        ['mcp-gateway', { service: 'mcp-gateway', tools: [tool('whoami')] }],
      ),
    );
    expect(tools.get('whoami')?.service).toBe('mcp-gateway');
    expect(refused).toHaveLength(1);
  });

  it('refuses a name that one service claims twice', () => {
    for (const service of ['admin-api', 'mcp-gateway']) {
      const { tools, refused } = merge(catalogues([service, { service, tools: [tool('a'), tool('a')] }]));
      expect(tools.size).toBe(0);
      expect(refused).toHaveLength(1);
    }
  });

  it.each(['other', 'tools.>', 'a.b', '*', 'A', ''])('refuses a catalogue that %p has put under its key', (service) => {
    const { tools, refused } = merge(catalogues(['admin-api', { service, tools: [tool('a')] }]));
    expect(tools.size).toBe(0);
    expect(refused).toHaveLength(1);
  });

  it.each(['tools.>', 'a.b', '*', 'A b', ''])(
    'refuses the name %p, which would be more than one part of a subject',
    (service) => {
      expect(merge(catalogues([service, { service, tools: [tool('a')] }])).tools.size).toBe(0);
    },
  );
});
