import { assert } from './assertions.js';
import type { Json } from './cases.js';
import type { Check } from './check.js';
import { alternativesOf, foreignValues, typeOf } from './schemas.js';
import type { Resolve } from './schemas.js';
import { without } from './subject.js';
import type { Call, Operation, Subject } from './subject.js';

interface Probe {
  readonly member: string;
  readonly body: Json;
}

/** Checks of the bodies of creations, upserts and patches, member by member, with limits from the document. */
export function bodyChecks(subject: Subject): Check[] {
  const operations = subject.operations.filter(
    ({ kind }) => kind === 'create' || kind === 'patch' || kind === 'upsert',
  );
  return operations.flatMap((operation) => checksOf(subject, operation));
}

function checksOf(subject: Subject, operation: Operation): Check[] {
  const { api, cases } = subject;
  const { kind, described } = operation;
  const resolve: Resolve = (schema) => api.description.resolve(schema);
  const schema = resolve(described.requestBody?.content['application/json']?.schema ?? {});
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, Json>>;
  const required = (schema['required'] ?? []) as string[];
  const rule = (name: string, run: (call: Call, body: Json) => Promise<void>): Check => ({
    name: `${name}: ${operation.name}`,
    run: async () => {
      const call = await subject.keptCall(operation);
      await run({ ...call, path: `${call.path}?dry_run=true` }, (call.body ?? {}) as Json);
    },
  });
  const refuse = async (call: Call, { member, body }: Probe, code?: string): Promise<void> => {
    const response = await subject.send(call, { body });
    const what = `${member} in ${JSON.stringify(body).slice(0, 300)}: ${response.text}`;
    assert.deepEqual([response.status, response.body['code']], [422, 'validation_failed'], what);
    const errors = response.body['errors'] as { pointer: string; code: string }[];
    const named = errors.filter(({ pointer }) => pointer === `/${member}` || pointer.startsWith(`/${member}/`));
    assert(named.length > 0 && (code === undefined || named.some((error) => error.code === code)), what);
  };

  const lacking =
    required.length === 0
      ? []
      : [
          rule('refuses a body that lacks a member', async (call, body) => {
            for (const member of required) await refuse(call, { member, body: without(body, member) }, 'required');
          }),
        ];
  const limits = Object.entries(properties).flatMap(([member, property]) =>
    limitsOf(property, resolve).map((limit) => ({ member, ...limit })),
  );
  const limited =
    limits.length === 0
      ? []
      : [
          rule('accepts members at their limits and none beyond', async (call, body) => {
            for (const { member, inside, beyond } of limits) {
              if (beyond !== undefined) await refuse(call, { member, body: { ...body, [member]: beyond } });
              if (inside === undefined) continue;
              const { status, text } = await subject.send(call, { body: { ...body, [member]: inside } });
              assert.equal(status, 200, `${member} = ${JSON.stringify(inside).slice(0, 100)}: ${text}`);
            }
          }),
        ];

  return [
    rule('refuses a missing, malformed or foreign body', async (call) => {
      const send = async (body: string | undefined, type = 'application/json'): Promise<unknown[]> => {
        const { method, path } = call;
        const request = body === undefined ? {} : { body, headers: { 'content-type': type } };
        const response = await api.send(method, path, request);
        return [response.status, response.body['code']];
      };
      for (const body of [undefined, '', '{', 'null x', '{"a":{"__proto__":{"x":1}}}']) {
        assert.deepEqual(await send(body), [400, 'invalid_request'], String(body));
      }
      for (const body of ['[]', '7', '"x"', 'null'])
        assert.deepEqual(await send(body), [422, 'validation_failed'], body);
      for (const type of [
        'text/plain',
        'application/xml',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
      ]) {
        assert.deepEqual(await send('name=x', type), [415, 'unsupported_media_type'], type);
      }
    }),
    rule('refuses unknown members', async (call, body) => {
      await refuse(call, { member: 'a~1b~0c', body: { ...body, 'a/b~c': 1 } }, 'unknown_member');
      const inner = Object.entries(body).find(
        ([, value]) => isObject(value) && !('metadata' in body && value === body['metadata']),
      );
      if (inner === undefined) return;
      const [member, value] = inner;
      await refuse(call, { member, body: { ...body, [member]: { ...(value as Json), unknown: 1 } } });
    }),
    rule('refuses members that only the service sets', async (call, body) => {
      const members = ['id', 'site_id', 'version', 'created_at', 'updated_at', ...cases.readOnly];
      const fixed = kind === 'patch' ? (cases.fixed ?? []) : [];
      for (const member of [...members, ...fixed, ...(kind === 'upsert' ? ['external_id'] : [])]) {
        await refuse(call, { member, body: { ...body, [member]: 1 } }, 'unknown_member');
      }
    }),
    ...(kind === 'patch' ? [rule('needs no member', async () => assert.deepEqual(required, []))] : lacking),
    rule('refuses members of another type', async (call, body) => {
      assert(Object.keys(properties).length > 0);
      for (const [member, property] of Object.entries(properties)) {
        for (const value of foreignValues(property, resolve)) {
          await refuse(call, { member, body: { ...body, [member]: value } });
        }
      }
    }),
    ...limited,
  ];
}

interface Limit {
  readonly inside?: unknown;
  readonly beyond?: unknown;
}

/** Values on both sides of each limit of a schema. */
function limitsOf(schema: Json, resolve: Resolve): Limit[] {
  const alternatives = alternativesOf(schema, resolve);
  const limits = alternatives.flatMap((one): Limit[] => {
    const number = (name: string): number | undefined => {
      const value = one[name];
      return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;
    };
    const free = one['pattern'] === undefined && one['format'] === undefined;
    const text = (length: number): Limit => (free ? { inside: 'x'.repeat(length) } : {});
    const [shortest, longest] = [number('minLength'), number('maxLength')];
    const [least, most] = [number('minimum'), number('maximum')];
    // Objects in a list have rules of their own, and ids name other objects: the specs of the resource know values.
    const kinds = alternativesOf((one['items'] ?? {}) as Json, resolve);
    const plain = kinds.every(({ type, format }) => type !== 'object' && format !== 'uuid');
    const items = plain ? number('maxItems') : undefined;
    const item = (index: number): unknown => sampleOf((one['items'] ?? {}) as Json, resolve, index);
    const list = (length: number): unknown[] => Array.from({ length }, (_item, index) => item(index));
    return [
      ...(shortest === undefined ? [] : [{ ...text(shortest), beyond: 'x'.repeat(shortest - 1) }]),
      ...(longest === undefined ? [] : [{ ...text(longest), beyond: 'x'.repeat(longest + 1) }]),
      ...(least === undefined ? [] : [{ inside: least, beyond: least - 1 }]),
      ...(most === undefined ? [] : [{ inside: most, beyond: most + 1 }]),
      ...(items === undefined ? [] : [{ inside: list(items), beyond: list(items + 1) }]),
    ];
  });
  // Another alternative may accept a value beyond the limit of the first.
  const several = alternatives.filter(({ type }) => type !== 'null').length > 1;
  return (several ? limits.map(({ inside }) => ({ inside })) : limits).filter((limit) => isTested(limit));
}

function isTested({ inside, beyond }: Limit): boolean {
  return inside !== undefined || beyond !== undefined;
}

function sampleOf(schema: Json, resolve: Resolve, index: number): unknown {
  const [one = {}] = alternativesOf(schema, resolve);
  const words = one['enum'] as unknown[] | undefined;
  if (words !== undefined) return words[index % words.length];
  return one['type'] === 'integer' || one['type'] === 'number' ? index : `item-${index}`;
}

function isObject(value: unknown): boolean {
  return typeOf(value) === 'object';
}
