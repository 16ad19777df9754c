/** Names in expressions of PromQL: enough to compare them with what services expose. */

export interface Matcher {
  readonly label: string;
  readonly operator: '=' | '!=' | '=~' | '!~';
  readonly value: string;
}

export interface Selector {
  readonly metric: string;
  readonly matchers: readonly Matcher[];
}

const KEYWORDS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan']);
const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
/** A name that is no function, with its matchers. Units of durations follow a digit. */
const SELECTOR = /(?<![\w:"$])([a-zA-Z_:][\w:]*)\b(?!\s*\()\s*(\{[^}]*\})?/g;
const MATCHER = /(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g;

export function selectorsOf(expression: string): Selector[] {
  return [...expression.replaceAll(GROUPING, ' ').matchAll(SELECTOR)]
    .filter(([, metric = '']) => !KEYWORDS.has(metric.toLowerCase()))
    .map(([, metric = '', matchers = '']) => ({
      metric,
      matchers: [...matchers.matchAll(MATCHER)].map(([, label = '', operator, value = '']) => ({
        label,
        operator: operator as Matcher['operator'],
        value,
      })),
    }));
}

/** The labels by which the expression groups. */
export function groupingLabels(expression: string): string[] {
  const lists = [...expression.matchAll(/\bby\s*\(([^)]*)\)/g)].map(([, list = '']) => list);
  return [...new Set(lists.flatMap((list) => list.split(',').map((label) => label.trim())))].filter(Boolean);
}
