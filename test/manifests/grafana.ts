/** Dashboards in the form of Grafana 10 and later. */
import { withMatcher } from '../observability/promql.ts';
import type { Dashboard, Panel } from './dashboards.ts';

const COLUMNS = 3;
const [WIDTH, HEIGHT] = [24 / COLUMNS, 8];
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };
/** One environment, or all. `.*` also selects series of a Prometheus whose targets have no namespace. */
const NAMESPACE = {
  name: 'namespace',
  label: 'Namespace',
  type: 'query',
  datasource: DATASOURCE,
  query: { query: 'label_values(up{job="auth"}, namespace)', refId: 'namespace' },
  refresh: 2,
  includeAll: true,
  allValue: '.*',
};

/** The JSON that Grafana imports, and that its sidecar reads from a ConfigMap. */
export function grafana({ uid, title, rows }: Dashboard): object {
  return {
    uid,
    title: `Lyceum: ${title}`,
    tags: ['lyceum'],
    schemaVersion: 39,
    editable: false,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' }, NAMESPACE],
    },
    panels: layOut(rows),
  };
}

/** Each row is a title and below it lines of panels. */
function layOut(rows: Dashboard['rows']): object[] {
  const laid: object[] = [];
  let y = 0;
  for (const [title, panels] of Object.entries(rows)) {
    laid.push({ id: laid.length + 1, type: 'row', title, collapsed: false, gridPos: { x: 0, y, w: 24, h: 1 } });
    y += 1;
    for (const [index, panel] of panels.entries()) {
      const place = { x: (index % COLUMNS) * WIDTH, y: y + Math.floor(index / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT };
      laid.push({ id: laid.length + 1, ...panelOf(panel), gridPos: place });
    }
    y += Math.ceil(panels.length / COLUMNS) * HEIGHT;
  }
  return laid;
}

function panelOf({ title, unit, queries }: Panel): object {
  return {
    type: 'timeseries',
    title,
    datasource: DATASOURCE,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: Object.entries(queries).map(([legendFormat, expr], index) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + index),
      datasource: DATASOURCE,
      expr: withMatcher(expr, 'namespace=~"$namespace"'),
      legendFormat,
    })),
  };
}
