import { isSharedIdPattern } from '@lyceum/contracts';
import { INSTANT_OR_DATE } from '@lyceum/rest';
import fc from 'fast-check';
import type { Json } from '../conventions/index.js';
import { ODD_VALUES } from './odd-values.js';

type Resolve = (schema: Json) => Json;

/** Ids of objects that exist, by the member that names them: `course_id`. */
export type IdsOf = (member: string) => readonly string[];

/** A member of a body, and the schema of its values. */
interface Place {
  readonly path: readonly (string | number)[];
  readonly schema: Json;
}

const DEPTH = 4;
const ITEMS = 3;
const TEXT = 24;
const INSTANT = { min: new Date('1970-01-01T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true };
const LARGE = 1_000_000;

/** Values that a JSON Schema accepts, up to its limits, and values that it refuses for one reason. */
export class SchemaValues {
  constructor(
    private readonly resolve: Resolve,
    private readonly idsOf: IdsOf,
  ) {}

  /** Accepted by the schema, as far as its keywords say. */
  accepted(schema: Json, member = ''): fc.Arbitrary<unknown> {
    const resolved = this.resolve(schema);
    const { anyOf, oneOf, enum: values, type } = resolved;
    if (Array.isArray(values)) return fc.constantFrom(...(values as unknown[]));
    if ('const' in resolved) return fc.constant(resolved['const']);
    const several = (anyOf ?? oneOf) as Json[] | undefined;
    if (several !== undefined) return fc.oneof(...several.map((one) => this.accepted(one, member)));
    return fc.oneof(...[type].flat().map((one) => this.#ofType(one, resolved, member)));
  }

  /** The accepted value with one member that is missing, of another type, beyond a limit or odd. */
  faulty(schema: Json, value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
    const faults = this.#placesOf(schema).map(({ path, schema: of }) =>
      fc.tuple(fc.constant(path), fc.oneof(this.#beyond(of), fc.constantFrom(...ODD_VALUES))),
    );
    const extra = fc.tuple(
      fc.constantFrom(['color'], ['id'], ['site_id'], ['created_at'], ['constructor']),
      fc.constant(1),
    );
    return fc.tuple(value, fc.oneof(...faults, extra)).map(([whole, [path, odd]]) => replaced(whole, path, odd));
  }

  #ofType(type: unknown, schema: Json, member: string): fc.Arbitrary<unknown> {
    switch (type) {
      case 'string':
        return this.#text(schema, member);
      case 'integer':
      case 'number': {
        const [min, max] = [Number(schema['minimum'] ?? -LARGE), Number(schema['maximum'] ?? LARGE)];
        const near = { min: Math.max(min, -LARGE), max: Math.min(max, LARGE) };
        return fc.oneof({ weight: 4, arbitrary: fc.integer(near) }, fc.constantFrom(min, max));
      }
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array':
        return this.#list(schema, member);
      case 'object':
        return this.#object(schema);
      default:
        return fc.jsonValue();
    }
  }

  #text(schema: Json, member: string): fc.Arbitrary<string> {
    const { format, pattern, minLength = 0, maxLength = TEXT } = schema as Record<string, never>;
    if (format === 'uuid' || isSharedIdPattern(pattern)) {
      const known = this.idsOf(member);
      return known.length === 0
        ? fc.uuid()
        : fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: fc.uuid() });
    }
    if (format === 'email')
      return fc.oneof(
        fc.emailAddress(),
        fc.uuid().map((word) => `${word}@example.com`),
      );
    if (format === 'uri')
      return fc.oneof(fc.webUrl({ validSchemes: ['https'] }), fc.constant('https://example.com/a.png'));
    const instants = fc.date(INSTANT).map((date) => date.toISOString());
    if (format === 'date-time') return fc.oneof(instants, EDGES);
    if (pattern === INSTANT_OR_DATE.pattern) {
      const dates = instants.map((instant) => instant.slice(0, 10));
      return fc.oneof({ weight: 4, arbitrary: instants }, { weight: 1, arbitrary: dates }, EDGES);
    }
    // fast-check generates no lookaheads.
    if (pattern !== undefined) return matching(String(pattern).replaceAll(/\(\?![^)]*\)/g, ''));
    const word = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, Math.max(TEXT, minLength)) });
    const plain = matching('^[a-z]{1,12}$');
    const limits = fc.constantFrom('x'.repeat(Math.max(minLength, 1)), 'x'.repeat(Math.min(maxLength, 100_000)));
    return fc.oneof({ weight: 4, arbitrary: word }, { weight: 4, arbitrary: plain }, { weight: 1, arbitrary: limits });
  }

  #list({ items = {}, minItems = 0, maxItems = ITEMS }: Json, member: string): fc.Arbitrary<unknown[]> {
    const [min, max] = [Number(minItems), Number(maxItems)];
    const item = this.accepted(items as Json, member.replace(/s$/, ''));
    return fc.oneof(
      {
        weight: 9,
        arbitrary: fc.uniqueArray(item, { minLength: min, maxLength: Math.max(min, Math.min(max, ITEMS)) }),
      },
      { weight: 1, arbitrary: fc.tuple(item).map(([one]) => Array.from({ length: Math.min(max, 50) }, () => one)) },
    );
  }

  #object(schema: Json): fc.Arbitrary<unknown> {
    const { properties, required = [], additionalProperties, propertyNames } = schema;
    if (properties === undefined) {
      if (typeof additionalProperties !== 'object') return fc.constant({});
      const key = propertyNames === undefined ? fc.string() : this.accepted(propertyNames as Json);
      return fc.dictionary(key as fc.Arbitrary<string>, this.accepted(additionalProperties as Json), {
        maxKeys: ITEMS,
      });
    }
    const members = Object.entries(properties as Record<string, Json>).map(
      ([name, of]) => [name, this.accepted(of, name)] as const,
    );
    return fc.record(Object.fromEntries(members), { requiredKeys: required as string[], noNullPrototype: true });
  }

  /** Values on the wrong side of each limit of the schema. */
  #beyond(schema: Json): fc.Arbitrary<unknown> {
    const values = this.#alternativesOf(schema).flatMap((one): unknown[] => {
      const {
        enum: allowed,
        minLength,
        maxLength,
        minimum,
        maximum,
        minItems,
        maxItems,
      } = one as Record<string, never>;
      const { type } = one;
      return [
        undefined,
        ...(allowed === undefined ? [] : ['no_such_value', String(allowed[0]).toUpperCase()]),
        ...(type === 'string' && Number(minLength) > 0 ? ['x'.repeat(Number(minLength) - 1)] : []),
        ...(type === 'string' && maxLength !== undefined
          ? ['x'.repeat(Number(maxLength) + 1), '\u{1f600}'.repeat(maxLength)]
          : []),
        ...(minimum === undefined ? [] : [Number(minimum) - 1, Number(minimum) - 0.5]),
        ...(maximum === undefined ? [] : [Number(maximum) + 1, Number(maximum) * 1e6]),
        ...(Number(minItems) > 0 ? [[]] : []),
        ...(maxItems === undefined ? [] : [Array.from({ length: Number(maxItems) + 1 }, (_, index) => `${index}`)]),
      ];
    });
    return fc.constantFrom(...values);
  }

  #alternativesOf(schema: Json): Json[] {
    const resolved = this.resolve(schema);
    const several = (resolved['anyOf'] ?? resolved['oneOf']) as Json[] | undefined;
    return several === undefined ? [resolved] : several.flatMap((one) => this.#alternativesOf(one));
  }

  #placesOf(schema: Json, path: Place['path'] = []): Place[] {
    if (path.length > DEPTH) return [];
    return [
      { path, schema },
      ...this.#alternativesOf(schema).flatMap(({ properties, items }) => [
        ...Object.entries((properties ?? {}) as Record<string, Json>).flatMap(([name, of]) =>
          this.#placesOf(of, [...path, name]),
        ),
        ...(items === undefined ? [] : this.#placesOf(items as Json, [...path, 0])),
      ]),
    ];
  }
}

const byPattern = new Map<string, fc.Arbitrary<string>>();

/** Texts of the pattern. fast-check tests all characters when it prepares them, and many members have one pattern. */
function matching(pattern: string): fc.Arbitrary<string> {
  const known = byPattern.get(pattern) ?? fc.stringMatching(new RegExp(pattern));
  byPattern.set(pattern, known);
  return known;
}

const EDGES = fc.constantFrom(
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '2026-01-01T00:00:00.123456789Z',
  '2026-01-01T00:00:00+14:00',
  '2024-02-29T23:59:59-12:00',
);

/** A copy of the value with another member at the path; `undefined` takes the member away. */
function replaced(value: unknown, [first, ...rest]: Place['path'], odd: unknown): unknown {
  if (first === undefined) return odd;
  const isList = typeof first === 'number';
  const whole = typeof value === 'object' && value !== null ? value : isList ? [] : {};
  const copy = (Array.isArray(whole) ? [...(whole as unknown[])] : { ...whole }) as Record<string | number, unknown>;
  copy[first] = replaced(copy[first], rest, odd);
  return copy;
}
