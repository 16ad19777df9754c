import type { ToolCatalog, ToolDescription, ToolsEntry } from '@lyceum/contracts';
import { liveCatalogs, mergeCatalogs } from './catalog.policy.js';

const tool = (name: string, version = '0000000000000000'): ToolDescription => ({
  name,
  title: name,
  description: name,
  audience: 'public',
  scopes: [],
  toolset: 'courses',
  version,
  core: false,
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
});

const capabilities = (service: string, ...tools: ToolDescription[]): ToolCatalog => ({
  service,
  tools,
  resources: [],
  prompts: [],
});

const catalogs = (...all: [string, ToolCatalog][]): Map<string, ToolCatalog> => new Map(all);

/** One version of each service. */
const merge = (all: ReadonlyMap<string, ToolCatalog>) =>
  mergeCatalogs(new Map([...all].map(([key, catalog]) => [key, [catalog]])), 'mcp-gateway');

describe('mergeCatalogs', () => {
  it('contains the tools of all services, sorted by name, each with its owner', () => {
    const { tools, refused } = merge(
      catalogs(
        ['member-api', capabilities('member-api', tool('my_courses'))],
        ['admin-api', capabilities('admin-api', tool('browse_catalog'), tool('browse_course'))],
      ),
    );
    expect([...tools.values()].map(({ name, service }) => `${name}@${service}`)).toEqual([
      'browse_catalog@admin-api',
      'browse_course@admin-api',
      'my_courses@member-api',
    ]);
    expect(refused).toEqual([]);
  });

  it('drops a name that two services claim, in any order of arrival', () => {
    const first: [string, ToolCatalog] = ['admin-api', capabilities('admin-api', tool('browse_course'), tool('a'))];
    const second: [string, ToolCatalog] = ['zz-api', capabilities('zz-api', tool('browse_course'))];
    for (const order of [catalogs(first, second), catalogs(second, first)]) {
      const { tools, refused } = merge(order);
      expect([...tools.keys()]).toEqual(['a']);
      expect(refused).toEqual(['browse_course: claimed by admin-api, zz-api']);
    }
  });

  it('keeps the gateway’s own tools when another service claims them', () => {
    const { tools, refused } = merge(
      catalogs(
        ['admin-api', capabilities('admin-api', tool('whoami'))],
        ['mcp-gateway', capabilities('mcp-gateway', tool('whoami'))],
      ),
    );
    expect(tools.get('whoami')?.service).toBe('mcp-gateway');
    expect(refused).toHaveLength(1);
  });

  it('drops a name that one service claims twice', () => {
    for (const service of ['admin-api', 'mcp-gateway']) {
      const { tools, refused } = merge(catalogs([service, capabilities(service, tool('a'), tool('a'))]));
      expect(tools.size).toBe(0);
      expect(refused).toHaveLength(1);
    }
  });

  it.each(['other', 'tools.>', 'a.b', '*', 'A', ''])('refuses a catalog that %p has put under its key', (service) => {
    const { tools, refused } = merge(catalogs(['admin-api', capabilities(service, tool('a'))]));
    expect(tools.size).toBe(0);
    expect(refused).toHaveLength(1);
  });

  it.each(['tools.>', 'a.b', '*', 'A b', ''])(
    'refuses the name %p, which would be more than one part of a subject',
    (service) => {
      expect(merge(catalogs([service, capabilities(service, tool('a'))])).tools.size).toBe(0);
    },
  );
});

describe('the catalog of a service with two running versions', () => {
  const live = new Map([
    [
      'admin-api',
      [
        capabilities('admin-api', tool('changed', '2222222222222222'), tool('same'), tool('new')),
        capabilities('admin-api', tool('changed', '1111111111111111'), tool('same'), tool('old')),
      ],
    ],
  ]);
  const { tools, refused } = mergeCatalogs(live, 'mcp-gateway');
  const versionsOf = (name: string) =>
    [tools.get(name), ...(tools.get(name)?.older ?? [])].map((each) => each?.version);

  it('contains the tools of both, the newer version first', () => {
    expect([...tools.keys()]).toEqual(['changed', 'new', 'old', 'same']);
    expect(versionsOf('changed')).toEqual(['2222222222222222', '1111111111111111']);
    expect(versionsOf('old')).toEqual(['0000000000000000']);
    expect(refused).toEqual([]);
  });

  it('contains the resources and prompts of both', () => {
    const entry = { ...tool('x'), completes: [] };
    const resource = (uri: string) => ({ ...entry, uri, mimeType: 'application/json', form: 'json' as const });
    const prompt = (name: string) => ({ ...entry, name, arguments: [] });
    const merged = mergeCatalogs(
      new Map([
        [
          'admin-api',
          [
            { ...capabilities('admin-api'), resources: [resource('school://b')], prompts: [prompt('q')] },
            { ...capabilities('admin-api'), resources: [resource('school://a'), resource('school://b')], prompts: [] },
          ],
        ],
        ['zz-api', [{ ...capabilities('zz-api'), resources: [resource('school://c')], prompts: [prompt('q')] }]],
      ]),
      'mcp-gateway',
    );
    expect([...merged.resources.keys()]).toEqual(['school://a', 'school://b', 'school://c']);
    expect([...merged.prompts.keys()]).toEqual([]);
    expect(merged.refused).toEqual(['q: claimed by admin-api, zz-api']);
  });
});

describe('liveCatalogs', () => {
  const first = capabilities('admin-api', tool('a'));
  const second = capabilities('admin-api', tool('b'));
  const of = (...entries: [string, ToolsEntry][]) => liveCatalogs(new Map(entries)).get('admin-api');
  const both: [string, ToolsEntry][] = [
    ['admin-api.1', first],
    ['admin-api.2', second],
  ];

  it('returns the leased versions, ordered by the latest start of an instance', () => {
    expect(of(...both, ['admin-api.1.x', { started_at: 1 }])).toEqual([first]);
    expect(of(...both, ['admin-api.1.x', { started_at: 1 }], ['admin-api.2.y', { started_at: 2 }])).toEqual([
      second,
      first,
    ]);
    // A rollback.
    expect(
      of(
        ...both,
        ['admin-api.1.x', { started_at: 1 }],
        ['admin-api.2.y', { started_at: 2 }],
        ['admin-api.1.z', { started_at: 3 }],
      ),
    ).toEqual([first, second]);
  });

  it('returns nothing without a lease or without a catalog', () => {
    expect(of(...both)).toBeUndefined();
    expect(of(['admin-api.1.x', { started_at: 1 }])).toBeUndefined();
  });

  it('orders versions that started at the same time equally on all replicas', () => {
    const leases: [string, ToolsEntry][] = [
      ['admin-api.2.y', { started_at: 1 }],
      ['admin-api.1.x', { started_at: 1 }],
    ];
    expect(of(...both, ...leases)).toEqual([first, second]);
    expect(of(...both, ...leases.toReversed())).toEqual([first, second]);
  });
});
