import type { ToolCatalogue, ToolDescription } from '@lyceum/contracts';
import { mergeCatalogues } from './catalogue.policy.js';

const tool = (name: string): ToolDescription => ({
  name,
  title: name,
  description: name,
  audience: 'public',
  scopes: [],
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
});

const catalogues = (...all: [string, ToolCatalogue][]): Map<string, ToolCatalogue> => new Map(all);

describe('the merged catalogue', () => {
  it('has the tools of all services, sorted by name, each with its owner', () => {
    const { tools, refused } = mergeCatalogues(
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

  it('gives a name to one service only, the same one whatever the order of arrival', () => {
    const first: [string, ToolCatalogue] = ['admin-api', { service: 'admin-api', tools: [tool('get_course')] }];
    const second: [string, ToolCatalogue] = ['zz-api', { service: 'zz-api', tools: [tool('get_course')] }];
    for (const order of [catalogues(first, second), catalogues(second, first)]) {
      const { tools, refused } = mergeCatalogues(order);
      expect(tools.get('get_course')?.service).toBe('admin-api');
      expect(refused).toEqual(['zz-api: the tool get_course belongs to admin-api']);
    }
  });

  it('refuses a name that one service claims twice', () => {
    const { tools, refused } = mergeCatalogues(
      catalogues(['admin-api', { service: 'admin-api', tools: [tool('a'), tool('a')] }]),
    );
    expect(tools.size).toBe(1);
    expect(refused).toHaveLength(1);
  });

  it.each(['other', 'tools.>', 'a.b', '*', 'A', ''])('refuses a catalogue that %p has put under its key', (service) => {
    const { tools, refused } = mergeCatalogues(catalogues(['admin-api', { service, tools: [tool('a')] }]));
    expect(tools.size).toBe(0);
    expect(refused).toHaveLength(1);
  });

  it.each(['tools.>', 'a.b', '*', 'A b', ''])(
    'refuses the name %p, which would be more than one part of a subject',
    (service) => {
      expect(mergeCatalogues(catalogues([service, { service, tools: [tool('a')] }])).tools.size).toBe(0);
    },
  );
});
