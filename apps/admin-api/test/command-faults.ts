import { randomUUID } from 'node:crypto';
import type { Body, Draw } from './command-bodies.js';

const ODD: readonly unknown[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202eevil',
  "' or 1=1 --",
  '__proto__',
  'x'.repeat(6_000),
  '00000000-0000-0000-0000-000000000000',
  '0000-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
  '2026-02-30T00:00:00.000Z',
  null,
  true,
  -1,
  0,
  0.5,
  1e308,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  [],
  [[[[[]]]]],
  {},
  { id: '\u0000' },
  { external_id: '\ud800' },
  { external_id: 'a\u0000b' },
  { ['__proto__']: 1 },
];

type Holder = Record<string, unknown>;

/** Returns each member of a body by its object and key. */
function membersOf(value: unknown): (readonly [Holder, string])[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Holder;
  return Object.keys(holder).flatMap((key) => [[holder, key] as const, ...membersOf(holder[key])]);
}

const isId = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value);

type Fault = (body: Body, draw: Draw, foreign: readonly string[]) => string | undefined;

/** Faults by name. Each changes a copy of a body, or returns the bytes of another message. */
const FAULTS: Readonly<Record<string, Fault>> = {
  odd_value: (body, draw) => {
    const [holder, key] = picked(membersOf(body), draw);
    holder[key] = ODD[draw(ODD.length)];
    return undefined;
  },
  missing_member: (body, draw) => {
    const [holder, key] = picked(membersOf(body), draw);
    Reflect.deleteProperty(holder, key);
    return undefined;
  },
  unknown_member: (body, draw) => {
    const [holder] = picked(membersOf(body), draw);
    holder['surprise'] = ODD[draw(ODD.length)];
    return undefined;
  },
  foreign_id: (body, draw, foreign) => {
    const ids = membersOf(body).filter(([holder, key]) => key !== 'idempotency_key' && isId(holder[key]));
    const [holder, key] = ids.length === 0 ? picked(membersOf(body), draw) : picked(ids, draw);
    holder[key] = draw(2) === 0 ? randomUUID() : foreign[draw(foreign.length)];
    return undefined;
  },
  wrong_number: (body, draw) => {
    const numbers = membersOf(body).filter(([holder, key]) => typeof holder[key] === 'number');
    if (numbers.length === 0) return undefined;
    const [holder, key] = picked(numbers, draw);
    holder[key] = Number(holder[key]) + (draw(2) === 0 ? 1 : -1);
    return undefined;
  },
  broken_bytes: (body, draw) => {
    const text = JSON.stringify(body);
    return [text.slice(0, draw(text.length)), '', 'null', '[]', '{}', `${text}}`, '\u0000'][draw(7)];
  },
};

function picked<T>(from: readonly T[], draw: Draw): T {
  const one = from[draw(from.length)];
  if (one === undefined) throw new Error('A body without members');
  return one;
}

export const FAULT_NAMES = Object.keys(FAULTS);

/** Returns a message with the fault in it. */
export function withFault(name: string, body: Body, draw: Draw, foreign: readonly string[]): string {
  const copy = structuredClone(body);
  return FAULTS[name]?.(copy, draw, foreign) ?? JSON.stringify(copy);
}
