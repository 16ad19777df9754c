/** Series that services expose at `/metrics`, with the labels that Prometheus and the ServiceMonitor add. */
import type { Matcher, Selector } from './promql.ts';
import { groupingLabels, selectorsOf } from './promql.ts';

type Labels = Readonly<Record<string, string>>;

/** Labels of all series by metric. */
export type Series = ReadonlyMap<string, readonly Labels[]>;

const TARGET = { namespace: 'lyceum', component: 'http' };
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Parses the text format of Prometheus of several services, given by the name of each service. */
export function readSeries(texts: Readonly<Record<string, string>>): Series {
  const series = new Map<string, Labels[]>();
  for (const [job, text] of Object.entries(texts)) {
    for (const line of text.split('\n')) {
      const match = SAMPLE.exec(line);
      if (match === null) continue;
      const [, metric = '', labels = ''] = match;
      const own = Object.fromEntries([...labels.matchAll(LABEL)].map(([, name = '', value = '']) => [name, value]));
      series.set(metric, [...(series.get(metric) ?? []), { ...own, ...TARGET, job, instance: job }]);
    }
  }
  return series;
}

/**
 * Faults of an expression: selectors without a series, and labels of a grouping that no series has. A pattern such as
 * `status=~"5.."` needs the label alone, because a healthy platform has no series with the value.
 */
export function faultsOf(expression: string, series: Series): string[] {
  const selectors = selectorsOf(expression);
  const found = selectors.map((selector) => (series.get(selector.metric) ?? []).filter(isSelectedBy(selector)));
  const labels = new Set(found.flat().flatMap((one) => Object.keys(one)));
  return [
    ...selectors.filter((_, index) => found[index]?.length === 0).map((selector) => `no series: ${written(selector)}`),
    ...groupingLabels(expression)
      .filter((label) => !labels.has(label))
      .map((label) => `no label: ${label}`),
  ];
}

const isSelectedBy =
  ({ matchers }: Selector) =>
  (labels: Labels): boolean =>
    matchers.every((matcher) => holds(matcher, labels));

function holds({ label, operator, value }: Matcher, labels: Labels): boolean {
  if (operator === '=') return labels[label] === value;
  return operator === '=~' ? label in labels : true;
}

const written = ({ metric, matchers }: Selector): string =>
  `${metric}{${matchers.map(({ label, operator, value }) => `${label}${operator}"${value}"`).join(', ')}}`;
