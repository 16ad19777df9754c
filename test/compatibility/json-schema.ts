export type Json = Readonly<Record<string, unknown>>;

/** A request may only get wider, a response only narrower or richer: see `docs/compatibility.md`. */
export type Direction = 'request' | 'response';

interface Comparison {
  readonly direction: Direction;
  /** Documents in which references are looked up. */
  readonly before: Json;
  readonly after: Json;
  /** Pairs of references under comparison: schemas may be recursive. */
  readonly open: ReadonlySet<string>;
}

const UPPER_LIMITS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const;
const LOWER_LIMITS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const;

/**
 * The breaking changes between two JSON Schemas (2020-12), as sentences with the place of each. References are followed
 * in the documents, by default in the schemas themselves.
 */
export function schemaChanges(
  direction: Direction,
  before: unknown,
  after: unknown,
  {
    at = '',
    documents = [objectOf(before), objectOf(after)],
  }: { readonly at?: string; readonly documents?: readonly [Json, Json] } = {},
): string[] {
  return compare({ direction, before: documents[0], after: documents[1], open: new Set() }, before, after, at);
}

const objectOf = (value: unknown): Json => (isObject(value) ? value : {});

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Follows a reference within its document. */
export function resolve(document: Json, value: unknown): Json {
  if (!isObject(value)) return {};
  const { $ref: reference } = value;
  if (typeof reference !== 'string') return value;
  const steps = reference.slice(2).split('/');
  const found = steps.reduce<unknown>((inner, step) => (isObject(inner) ? inner[step] : undefined), document);
  if (!isObject(found)) throw new Error(`${reference} leads nowhere`);
  return resolve(document, found);
}

function compare(given: Comparison, before: unknown, after: unknown, at: string): string[] {
  const pair = JSON.stringify([referenceOf(before), referenceOf(after)]);
  if (given.open.has(pair)) return [];
  const context = pair === '[null,null]' ? given : { ...given, open: new Set([...given.open, pair]) };
  const [old, now] = [alternatives(context.before, before), alternatives(context.after, after)];
  const [first, second] = [old[0], now[0]];
  if (old.length === 1 && now.length === 1 && first && second) return compareOne(context, first, second, at);
  const request = context.direction === 'request';
  // Each alternative that clients send or read needs a compatible one on the other side.
  return (request ? old : now).flatMap((one) => {
    const attempts = (request ? now : old).map((other) =>
      request ? compareOne(context, one, other, at) : compareOne(context, other, one, at),
    );
    return attempts.sort((a, b) => a.length - b.length)[0] ?? [`${at}: an alternative is gone`];
  });
}

const referenceOf = (value: unknown): unknown => (isObject(value) ? (value['$ref'] ?? null) : null);

/** The members of a union, and each of several types as a separate schema. */
function alternatives(document: Json, value: unknown): Json[] {
  const schema = resolve(document, value);
  const { anyOf, oneOf, type, ...rest } = schema;
  const union = anyOf ?? oneOf;
  if (Array.isArray(union)) return union.flatMap((one) => alternatives(document, one));
  return Array.isArray(type) ? type.map((one: unknown) => ({ ...rest, type: one })) : [schema];
}

function compareOne(context: Comparison, before: Json, after: Json, at: string): string[] {
  const type = typeChanges(context, before, after, at);
  if (type.length > 0) return type;
  return [
    ...valueChanges(context, before, after, at),
    ...limitChanges(context, before, after, at),
    ...memberChanges(context, before, after, at),
    ...(isObject(before['items']) && isObject(after['items'])
      ? compare(context, before['items'], after['items'], `${at}[]`)
      : []),
    ...(isObject(before['additionalProperties']) && isObject(after['additionalProperties'])
      ? compare(context, before['additionalProperties'], after['additionalProperties'], `${at}.*`)
      : []),
  ];
}

function typeChanges({ direction }: Comparison, before: Json, after: Json, at: string): string[] {
  const [old, now] = [before['type'], after['type']];
  if (old === now) return [];
  const [narrow, wide] = direction === 'request' ? [old, now] : [now, old];
  if (wide === undefined || (narrow === 'integer' && wide === 'number')) return [];
  return [`${at}: the type changed from ${String(old)} to ${String(now)}`];
}

/** Values may be added to the enum of a response: clients must tolerate unknown ones. */
function valueChanges({ direction }: Comparison, before: Json, after: Json, at: string): string[] {
  const changes: string[] = [];
  const [old, now] = [valuesOf(before), valuesOf(after)];
  if (direction === 'request' && now !== undefined) {
    const refused = old?.filter((value) => !now.includes(value)) ?? ['any other value'];
    if (refused.length > 0) changes.push(`${at}: no longer accepts ${refused.join(', ')}`);
  }
  if (direction === 'response' && 'const' in before && before['const'] !== after['const']) {
    changes.push(`${at}: is no longer ${JSON.stringify(before['const'])}`);
  }
  for (const name of ['format', 'pattern'] as const) {
    const [was, is] = [before[name], after[name]];
    const promised = direction === 'request' ? is : was;
    const isWider = direction === 'request' && name === 'pattern' && acceptsFormat(before['format'], is);
    if (was !== is && promised !== undefined && !isWider)
      changes.push(`${at}: the ${name} changed from ${show(was)} to ${show(is)}`);
  }
  return changes;
}

/** Values of formats that a request may describe by a wider pattern. */
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  uuid: ['019ab3c0-7a51-7c1e-9d3e-0d6f7c2b1a90', '019AB3C0-7A51-7C1E-9D3E-0D6F7C2B1A90'],
  'date-time': ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.123456Z', '2026-01-31T09:30:00-08:00'],
};

function acceptsFormat(format: unknown, pattern: unknown): boolean {
  const samples = SAMPLES[String(format)];
  return samples !== undefined && samples.every((sample) => new RegExp(String(pattern)).test(sample));
}

function valuesOf(schema: Json): string[] | undefined {
  if ('const' in schema) return [JSON.stringify(schema['const'])];
  const values = schema['enum'];
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : undefined;
}

const show = (value: unknown): string => JSON.stringify(value) ?? 'none';

/** Only limits on requests can break clients: a longer text in a response breaks no contract. */
function limitChanges({ direction }: Comparison, before: Json, after: Json, at: string): string[] {
  if (direction === 'response') return [];
  const tighter = (names: readonly string[], sign: 1 | -1): string[] =>
    names.filter((name) => {
      const [old, now] = [before[name], after[name]];
      return typeof now === 'number' && (typeof old !== 'number' || sign * now > sign * old);
    });
  return [...tighter(UPPER_LIMITS, -1), ...tighter(LOWER_LIMITS, 1)].map(
    (name) => `${at}: ${name} changed from ${show(before[name])} to ${show(after[name])}`,
  );
}

function memberChanges(context: Comparison, before: Json, after: Json, at: string): string[] {
  const [old, now] = [membersOf(before), membersOf(after)];
  const [neededBefore, neededAfter] = [requiredOf(before), requiredOf(after)];
  const kept = Object.keys(old).filter((name) => Object.hasOwn(now, name));
  const removed = Object.keys(old).filter((name) => !Object.hasOwn(now, name));
  const flipped =
    context.direction === 'request'
      ? [...neededAfter].filter((name) => !neededBefore.has(name)).map((name) => `${at}.${name}: became required`)
      : kept
          .filter((name) => neededBefore.has(name) && !neededAfter.has(name))
          .map((name) => `${at}.${name}: may be missing now`);
  return [
    ...removed.map((name) => `${at}.${name}: was removed`),
    ...flipped,
    ...kept.flatMap((name) => compare(context, old[name], now[name], `${at}.${name}`)),
  ];
}

const membersOf = ({ properties }: Json): Json => (isObject(properties) ? properties : {});
const requiredOf = ({ required }: Json): ReadonlySet<string> => new Set(Array.isArray(required) ? required : []);
