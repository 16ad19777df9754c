import { SERVICES } from '@lyceum/contracts';
import { DASHBOARDS } from '../manifests/dashboards.ts';
import { readGolden } from '../manifests/objects.ts';
import { selectorsOf } from './promql.ts';

interface Place {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

interface Rendered {
  readonly uid: string;
  readonly templating: { readonly list: readonly { readonly name: string; readonly allValue?: string }[] };
  readonly panels: readonly {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly gridPos: Place;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

const overlap = (a: Place, b: Place): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

describe('the dashboards', () => {
  const map = readGolden('prod').get<{ data: Readonly<Record<string, string>> }>('ConfigMap', 'dashboards');
  const rendered = Object.values(map.data).map((text) => JSON.parse(text) as Rendered);

  it('covers each service and the platform, in a ConfigMap that the sidecar of Grafana reads', () => {
    expect(DASHBOARDS.map(({ title }) => title)).toEqual([...SERVICES, 'platform']);
    expect(Object.keys(map.data).sort()).toEqual(DASHBOARDS.map(({ title }) => `${title}.json`).sort());
    expect(map.metadata.labels).toMatchObject({ grafana_dashboard: '1' });
    expect(new Set(rendered.map(({ uid }) => uid)).size).toBe(DASHBOARDS.length);
  });

  it.each(SERVICES)('shows rate, errors, duration and saturation of %s', (name) => {
    const { rows } = DASHBOARDS.find(({ title }) => title === name)!;
    expect(Object.keys(rows)).toEqual(expect.arrayContaining(['Requests', 'Saturation']));
    const titles = Object.values(rows).flatMap((panels) => panels.map(({ title }) => title));
    expect(titles).toEqual(expect.arrayContaining(['Requests by route', 'Failed requests', 'Duration']));
    expect(titles).toContain('Event loop delay (p99)');
  });

  it.each(rendered.map((dashboard) => [dashboard.uid, dashboard] as const))(
    'places the panels of %s side by side, each with a query',
    (_uid, { panels }) => {
      expect(panels.length).toBeGreaterThan(10);
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
      const pairs = panels.flatMap((one, index) => panels.slice(index + 1).map((other) => [one, other] as const));
      expect(pairs.filter(([one, other]) => overlap(one.gridPos, other.gridPos))).toEqual([]);
      const empty = panels.filter(({ type, targets = [] }) => type !== 'row' && targets.length === 0);
      expect(empty.map(({ title }) => title)).toEqual([]);
    },
  );

  it.each(rendered.map((dashboard) => [dashboard.uid, dashboard] as const))(
    'shows one environment or all in each panel of %s',
    (_uid, { panels, templating }) => {
      expect(templating.list).toEqual(
        expect.arrayContaining([expect.objectContaining({ name: 'namespace', allValue: '.*' })]),
      );
      const selectors = panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => selectorsOf(expr)));
      expect(selectors.length).toBeGreaterThan(10);
      const chosen = { label: 'namespace', operator: '=~', value: '$namespace' };
      const others = selectors.filter(
        ({ matchers }) => !matchers.some((one) => JSON.stringify(one) === JSON.stringify(chosen)),
      );
      expect(others.map(({ metric }) => metric)).toEqual([]);
    },
  );
});
