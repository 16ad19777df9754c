import type { Rule, RuleGroup } from '../manifests/prometheus-rules.ts';

const WINDOW = '10s';
const FOR = '2s';
const SECONDS = 3;
/** Ages in seconds that are a minute or more. */
const AGE = /(?<=_seconds(?:\{[^}]*\})?\) > )\d{2,}$/;

/** The same rules with short times: a fault raises its alert within seconds. */
export function quickRules(groups: readonly RuleGroup[]): RuleGroup[] {
  return groups.map(({ name, rules }) => ({ name, rules: rules.map(quick) }));
}

function quick(rule: Rule): Rule {
  const expr = rule.expr
    .trim()
    .replaceAll(/\[\d+[smhd]\]/g, `[${WINDOW}]`)
    .replace(AGE, String(SECONDS));
  return { ...rule, expr, ...(rule.for !== undefined && { for: FOR }) };
}
