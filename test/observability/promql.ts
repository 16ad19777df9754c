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
const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g;
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

/** The expression with one matcher more, such as `job="auth"`, in each of its selectors. */
export function withMatcher(expression: string, matcher: string): string {
  const parts = new RegExp(`${GROUPING.source}|${SELECTOR.source}`, 'g');
  return expression.replaceAll(parts, (part, metric: string | undefined, matchers = '{}', place: number) => {
    const isAggregation = /^\s*(?:by|without)\b/.test(expression.slice(place + part.length));
    if (metric === undefined || isAggregation || KEYWORDS.has(metric.toLowerCase())) return part;
    const space = /\s*$/.exec(part)![0];
    return `${metric}{${[matchers.slice(1, -1), matcher].filter(Boolean).join(', ')}}${space}`;
  });
}

/** The labels by which the expression groups. */
export function groupingLabels(expression: string): string[] {
  const lists = [...expression.matchAll(/\bby\s*\(([^)]*)\)/g)].map(([, list = '']) => list);
  return [...new Set(lists.flatMap((list) => list.split(',').map((label) => label.trim())))].filter(Boolean);
}
