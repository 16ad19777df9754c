import { Kind, buildSchema, parse } from 'graphql';
import { LIMITS } from '#src/selection/limits.policy.js';
import { coerceVariables } from './variables.policy.js';

const schema = buildSchema(`
  type Query { a(s: [State!], o: Options): String }
  enum State { ON }
  input Options { on: Boolean }
`);
const [operation] = parse('query ($s: [State!], $o: Options) { a(s: $s, o: $o) }').definitions;
if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('The document has no operation');

const coerce = (given: Record<string, unknown>) => coerceVariables(schema, operation, given);
const refusal = (given: Record<string, unknown>): string => {
  try {
    coerce(given);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
};

it('returns variables that fit, and nothing for short ones that do not', () => {
  expect([coerce({ s: ['ON'] })?.['s'], coerce({ s: [1, 2] })]).toEqual([['ON'], undefined]);
});

it('stops to read variables at the second wrong value', () => {
  let read = 0;
  const wrong = {
    *[Symbol.iterator]() {
      while (read < 1_000) yield (read += 1);
    },
  };
  expect([coerce({ s: wrong }), read]).toEqual([undefined, 2]);
});

it.each([
  ['many wrong values', { s: Array.from({ length: LIMITS.explainedVariables }, () => 1) }],
  ['one long value', { s: ['x'.repeat(LIMITS.explainedVariables)] }],
  ['many unknown names', { o: Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`name${n}`, n])) }],
])('reports the first error of variables with %s in a short text', (_what, given) => {
  const message = refusal(given);
  expect(message).toMatch(
    /^Variable "\$[so]" got invalid value .* (non-string value: 1|exist in "State" enum|by type "Options")\.$/,
  );
  expect(message.length).toBeLessThan(1_000);
});
