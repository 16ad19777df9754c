import type { Rule } from '../../manifests/prometheus-rules.ts';

/** Selectors of alerts, such as `ServiceDown` and `ErrorBudgetBurnsFast{slo="tools"}`. */
type Walked = readonly string[];

interface NotWalked {
  /** The names of the alerts that no walk raises. */
  readonly alerts: readonly string[];
  /** The names of the files of the runbooks that no walk follows. */
  readonly runbooks: readonly string[];
}

/** The alerts of the rules and the given runbooks that the walked alerts leave out. */
export function notWalked(rules: readonly Rule[], runbooks: readonly string[], walked: Walked): NotWalked {
  const names = new Set(walked.map(nameOf));
  const followed = new Set(walked.flatMap((one) => runbookOf(rules, one) ?? []));
  return {
    alerts: rules.flatMap(({ alert }) => (alert === undefined || names.has(alert) ? [] : [alert])),
    runbooks: runbooks.filter((file) => !followed.has(file)),
  };
}

const nameOf = (selector: string): string => selector.split('{')[0]!;

/** The file name of the runbook of an alert. The alert of an objective has one for each objective. */
function runbookOf(rules: readonly Rule[], selector: string): string | undefined {
  const rule = rules.find(({ alert }) => alert === nameOf(selector));
  const objective = /slo="([^"]+)"/.exec(selector)?.[1] ?? '';
  return rule?.annotations?.['runbook_url']?.replace('{{ $labels.slo }}', objective).split('/').at(-1);
}
