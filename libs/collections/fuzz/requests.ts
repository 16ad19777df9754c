import fc from 'fast-check';
import { OPERATOR_SCOPES } from '@lyceum/contracts';
import { PEOPLE, SITES } from '../conventions/index.js';
import type { ConventionApi, Description, Json } from '../conventions/index.js';
import { Known } from './known.js';
import type { KnownOperation, KnownPath } from './known.js';
import {
  LARGE_BODY,
  ODD_BODIES,
  ODD_HEADERS,
  ODD_MEDIA_TYPES,
  ODD_QUERIES,
  ODD_SEGMENTS,
  ODD_TEXTS,
} from './odd-values.js';
import { SchemaValues } from './schema-values.js';

export interface FuzzRequest {
  /** `POST /api/v1/courses`, as the document names it. */
  readonly operation: string;
  readonly method: string;
  /** Path and query, as they are sent. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
}

type Operation = ReturnType<Description['operations']>[number];
type Headers = FuzzRequest['headers'];

const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.WeightedArbitrary<T> => ({ weight, arbitrary });
const NONE: KnownOperation = { paths: [[], []], bodies: [], unique: [] };
const DRY = 'dry_run=true';
/** In place of the entity tag of the object that the path names. */
const OWN = 'own';

/** Requests of every operation: valid ones, ones with a single fault, and odd ones. */
export class Requests {
  readonly #values: SchemaValues;
  readonly #callers: fc.Arbitrary<Headers>;

  constructor(
    private readonly api: ConventionApi,
    private readonly known: Known,
  ) {
    const { description } = api;
    this.#values = new SchemaValues((schema) => description.resolve(schema), known.idsOf);
    this.#callers = this.#callersOf();
  }

  all(): fc.Arbitrary<FuzzRequest> {
    const operations = this.api.description.operations();
    return fc.oneof(...operations.map((operation) => this.#of(operation)));
  }

  #of(operation: Operation): fc.Arbitrary<FuzzRequest> {
    const { method, path } = operation;
    const name = `${method} ${path}`;
    const known = this.known.operations.get(name) ?? NONE;
    const parts = fc.record({
      path: this.#pathOf(path, known),
      query: this.#queryOf(operation),
      caller: this.#callers,
      type: typeOf(operation),
      headers: this.#headersOf(operation),
      body: this.#bodyOf(operation, known),
    });
    return parts.map(({ path: { path: at, tag }, query, caller, type, headers, body }) => ({
      operation: name,
      method,
      target: query === '' ? at : `${at}?${query}`,
      headers: {
        ...(body === undefined ? {} : { 'content-type': type }),
        ...headers,
        ...(headers['if-match'] === OWN ? { 'if-match': tag } : {}),
        ...caller,
      },
      body,
    }));
  }

  #pathOf(path: string, { paths: [here, there] }: KnownOperation): fc.Arbitrary<KnownPath> {
    const parameters = path.match(/\{\w+\}/g) ?? [];
    const existing = (paths: readonly KnownPath[]): fc.Arbitrary<KnownPath> =>
      fc.nat().map((place) => Known.newest(paths, place) ?? { path, tag: '' });
    if (parameters.length === 0) return here.length === 0 ? fc.constant({ path, tag: '' }) : existing(here);
    const filled = (segment: fc.Arbitrary<string>): fc.Arbitrary<KnownPath> =>
      fc.tuple(...parameters.map(() => segment)).map((segments) => {
        const rest = [...segments];
        return { path: path.replaceAll(/\{\w+\}/g, () => rest.shift() ?? ''), tag: '' };
      });
    const word = fc.oneof(fc.uuid(), fc.stringMatching(/^[a-z]{1,8}$/), fc.constantFrom(...this.known.idsOf('')));
    const odd = fc.oneof(fc.constantFrom(...ODD_SEGMENTS), fc.constantFrom(...ODD_TEXTS).map(escaped));
    return fc.oneof(
      ...(here.length === 0 ? [] : [often(16, existing(here))]),
      ...(there.length === 0 ? [] : [often(1, existing(there))]),
      often(2, filled(word)),
      often(1, filled(odd)),
    );
  }

  #queryOf({ method, described }: Operation): fc.Arbitrary<string> {
    const odd = fc.constantFrom(...ODD_QUERIES);
    if (method !== 'GET') return fc.oneof(often(5, fc.constant('')), often(5, fc.constant(DRY)), often(1, odd));
    const declared = (described.parameters ?? [])
      .map((parameter) => this.api.description.resolve(parameter as Json))
      .filter((parameter) => parameter['in'] === 'query');
    const pairs = declared.map((parameter) => {
      const name = String(parameter['name']);
      const value = this.#values.accepted(parameter['schema'] as Json, name).map((one) => pairOf(name, one));
      return fc.oneof(
        often(5, value),
        often(
          1,
          fc.constantFrom(...ODD_TEXTS).map((one) => pairOf(name, one)),
        ),
      );
    });
    if (pairs.length === 0) return odd;
    const several = fc
      .uniqueArray(fc.oneof(...pairs), {
        minLength: 1,
        maxLength: Math.min(3, pairs.length),
        selector: ([name]) => name,
      })
      .map((all) => all.map(([name, text]) => `${name}=${escaped(text)}`).join('&'));
    return fc.oneof(often(2, fc.constant('')), often(5, several), often(1, odd));
  }

  #headersOf({ method, described }: Operation): fc.Arbitrary<Headers> {
    const odd = fc.constantFrom(...ODD_HEADERS);
    if (method === 'GET') return headersOf(fc.option(odd, { freq: 2 }));
    const key = fc.oneof(fc.uuid(), fc.constantFrom('a', 'b', 'c')).map((value) => ['idempotency-key', value] as const);
    const tag = fc.constant(['if-match', OWN] as const);
    const more = headersOf(fc.option(fc.oneof(often(3, key), often(2, tag), often(3, odd)), { freq: 2 }));
    // An operation that needs the tag.
    return described.responses['428'] === undefined ? more : fc.oneof(often(6, headersOf(tag)), more);
  }

  #bodyOf({ method, described }: Operation, known: KnownOperation): fc.Arbitrary<FuzzRequest['body']> {
    if (method === 'GET') return fc.constant(undefined);
    const odd = fc.constantFrom(...ODD_BODIES);
    const schema = Object.values(described.requestBody?.content ?? {})[0]?.schema;
    if (schema === undefined) return fc.oneof(often(12, fc.constant(undefined)), often(2, fc.constant('{}')), odd);
    const generated = this.#values.accepted(schema);
    const good = known.bodies.length === 0 ? generated : fc.oneof(often(4, this.#goodOf(schema, known)), generated);
    const text = fc
      .oneof(often(4, good), often(4, this.#values.faulty(schema, good)))
      .map((one) => JSON.stringify(one));
    const spliced = fc
      .tuple(text, fc.nat(), fc.constantFrom('', ',', '"', '1e999', '{', '\\ud800', '\u0000'))
      .map(([whole, at, inserted]) => {
        const place = at % ((whole?.length ?? 0) + 1);
        return `${whole?.slice(0, place)}${inserted}${whole?.slice(place + (inserted === '' ? 1 : 0))}`;
      });
    return fc.oneof(
      often(60, text),
      often(6, odd),
      often(6, spliced),
      often(1, fc.constantFrom(LARGE_BODY, undefined)),
    );
  }

  /** An accepted body with unique members that no object has yet, and with other accepted members. */
  #goodOf(schema: Json, { bodies, unique }: KnownOperation): fc.Arbitrary<unknown> {
    const own = this.api.description.resolve(schema)['properties'] as Record<string, Json> | undefined;
    const listed =
      own?.['items'] === undefined ? undefined : (this.api.description.resolve(own['items'])['items'] as Json);
    const properties = listed === undefined ? own : (this.api.description.resolve(listed)['properties'] as typeof own);
    const fresh = fc.record(
      Object.fromEntries(
        Object.entries(properties ?? {}).map(([name, of]) => [name, this.#values.accepted(of, name)] as const),
      ),
      { requiredKeys: [], noNullPrototype: true },
    );
    return fc
      .tuple(fc.constantFrom(...bodies), fresh, fc.uuid(), fc.nat({ max: 2 }))
      .map(([body, values, word, more]) => {
        const renewed = (object: Json): Json => ({
          ...object,
          ...(more === 0 ? values : {}),
          ...Object.fromEntries(
            unique
              .filter((name) => name in object)
              .map((name) => [name, String(object[name]).includes('@') ? `${word}@example.com` : word] as const),
          ),
        });
        return listed === undefined ? renewed(body) : { ...body, items: (body['items'] as Json[]).map(renewed) };
      });
  }

  #callersOf(): fc.Arbitrary<Headers> {
    const [site, other] = SITES;
    const scopes = [...OPERATOR_SCOPES];
    const bearer = (token: string, host: string = site.host): Headers => ({ host, authorization: `Bearer ${token}` });
    const of = (caller: Parameters<ConventionApi['token']>[0], at = site): string => this.api.token(caller, at);
    const person_id = PEOPLE[0] ?? '';
    const owner = of({ scopes, person_id, client_id: 'fuzz' });
    return fc.oneof(
      often(24, fc.constant(bearer(owner))),
      often(4, fc.constant(bearer(of({ scopes, roles: ['admin'] })))),
      often(3, fc.constant(bearer(of({ scopes, roles: ['lecturer'] })))),
      often(1, fc.constant(bearer(of({ scopes, roles: [] })))),
      often(1, fc.constant(bearer(of({ scopes: [] })))),
      often(2, fc.constant(bearer(of({ scopes: scopes.filter((scope) => scope.endsWith(':read')) })))),
      often(2, fc.constant(bearer(of({ scopes: scopes.filter((scope) => scope.endsWith(':write')) })))),
      often(1, fc.constant(bearer(of({ scopes, audience: 'member' })))),
      often(1, fc.constant(bearer(of({ scopes }, other)))),
      often(1, fc.constant(bearer(of({ scopes }, other), other.host))),
      often(1, fc.constantFrom<Headers>({ host: site.host }, bearer(owner, 'elsewhere.example'), bearer('e30'))),
      often(
        1,
        fc
          .constantFrom('Bearer', 'Bearer a b', 'Basic YTpi', `Bearer ${'x'.repeat(5_000)}`, ' ')
          .map((authorization): Headers => ({ host: site.host, authorization })),
      ),
    );
  }
}

function headersOf(pair: fc.Arbitrary<readonly [string, string] | null>): fc.Arbitrary<Headers> {
  return pair.map((one) => (one === null ? {} : { [one[0]]: one[1] }));
}

function typeOf({ described }: Operation): fc.Arbitrary<string> {
  const media = Object.keys(described.requestBody?.content ?? { 'application/json': {} });
  return fc.oneof(often(15, fc.constantFrom(...media)), often(1, fc.constantFrom(...ODD_MEDIA_TYPES)));
}

/** A list stands in one parameter, separated by commas. An object gives its first key: `metadata[a]`. */
function pairOf(name: string, value: unknown): readonly [string, string] {
  if (Array.isArray(value)) return [name, value.join(',')];
  if (typeof value !== 'object' || value === null) return [name, String(value)];
  const [key, one] = Object.entries(value as Json)[0] ?? ['', ''];
  return [`${name}[${escaped(key)}]`, String(one)];
}

const escaped = (text: string): string => encodeURIComponent(text.toWellFormed());
