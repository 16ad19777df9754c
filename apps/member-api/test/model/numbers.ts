/** A small deterministic random generator: every run gets the same rows. */
export interface Numbers {
  readonly below: (limit: number) => number;
  readonly pick: <T>(list: readonly T[]) => T;
}

export function numbers(seed: number): Numbers {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return { below, pick: (list) => list[below(list.length)] as (typeof list)[number] };
}

export const uuid = (kind: number, n: number): string =>
  `0190a0b0-00${kind.toString().padStart(2, '0')}-7000-8000-${n.toString(16).padStart(12, '0')}`;

export const NAMES = [
  'Knots',
  'Ünïcode 🧭',
  'a "quoted" \\ name',
  'line\nbreak\ttab\u0001',
  "it's 100% $1 :site",
  '\u2028</script>',
  '',
];

/** RFC 3339 with one to six decimals, or none. */
export const TIMES = [
  '2026-03-04T05:06:07Z',
  '2026-03-04T05:06:07.100Z',
  '2026-03-04T05:06:07.101Z',
  '2026-03-04T05:06:07.999Z',
  '1999-12-31T23:59:59.5Z',
  '2030-01-01T00:00:00Z',
];
