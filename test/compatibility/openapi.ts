import { isObject, resolve, schemaChanges } from './json-schema.ts';
import type { Direction, Json } from './json-schema.ts';

/** The breaking changes between two OpenAPI documents. */
export function openApiChanges(before: Json, after: Json): string[] {
  const documents: Documents = [before, after];
  return [
    ...pairs(operationsOf(before, 'paths'), operationsOf(after, 'paths'), (name, old, current) =>
      operationChanges(name, documents, old, current),
    ),
    ...pairs(operationsOf(before, 'webhooks'), operationsOf(after, 'webhooks'), (name, old, current) =>
      webhookChanges(name, documents, old, current),
    ),
  ];
}

/** The changes of each operation that exists before, and those that are gone. */
function pairs(
  before: ReadonlyMap<string, Json>,
  after: ReadonlyMap<string, Json>,
  changes: (name: string, old: Json, current: Json) => string[],
): string[] {
  return [...before].flatMap(([name, old]) => {
    const current = after.get(name);
    return current === undefined ? [`${name}: was removed`] : changes(name, old, current);
  });
}

/** A document from before this release may have no webhooks. */
function operationsOf(document: Json, part: 'paths' | 'webhooks'): Map<string, Json> {
  const of = (method: string): string => (part === 'webhooks' ? 'webhook' : method.toUpperCase());
  return new Map(
    Object.entries((document[part] ?? {}) as Record<string, Record<string, Json>>).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${of(method)} ${path}`, operation] as const),
    ),
  );
}

/** Clients read the body and the headers of a webhook as they read those of a response, and answer it. */
function webhookChanges(name: string, documents: Documents, before: Json, after: Json): string[] {
  const [old, now] = [parametersOf(documents[0], before), parametersOf(documents[1], after)];
  const [was, is] = [resolve(documents[0], before['requestBody']), resolve(documents[1], after['requestBody'])];
  const answers = after['responses'] as Json;
  return [
    ...(before['operationId'] === after['operationId'] ? [] : [`${name}: the operationId changed`]),
    ...[...old.keys()].filter((key) => !now.has(key)).map((key) => `${name}: the ${key} was removed`),
    ...Object.keys(before['responses'] as Json)
      .filter((status) => !Object.hasOwn(answers, status))
      .map((status) => `${name}: the meaning of the answer ${status} was removed`),
    ...contentChanges('response', `${name}: body`, documents, was, is),
  ];
}

type Documents = readonly [Json, Json];

function operationChanges(name: string, documents: Documents, before: Json, after: Json): string[] {
  return [
    ...(before['operationId'] === after['operationId'] ? [] : [`${name}: the operationId changed`]),
    ...scopesOf(after)
      .filter((scope) => !scopesOf(before).includes(scope))
      .map((scope) => `${name}: needs the scope ${scope} now`),
    ...parameterChanges(name, documents, before, after),
    ...bodyChanges(name, documents, before, after),
    ...responseChanges(name, documents, before, after),
  ];
}

const scopesOf = ({ security }: Json): string[] =>
  ((security ?? []) as Record<string, string[]>[]).flatMap((scheme) => Object.values(scheme).flat());

function parameterChanges(name: string, documents: Documents, before: Json, after: Json): string[] {
  const [old, now] = [parametersOf(documents[0], before), parametersOf(documents[1], after)];
  const missing = [...old.keys()].filter((key) => !now.has(key)).map((key) => `${name}: the ${key} was removed`);
  const changed = [...now].flatMap(([key, parameter]) => {
    const known = old.get(key);
    const needed = parameter['required'] === true && known?.['required'] !== true;
    const schema =
      known === undefined
        ? []
        : schemaChanges('request', known['schema'], parameter['schema'], { at: `${name}: ${key}`, documents });
    return [...(needed ? [`${name}: the ${key} became required`] : []), ...schema];
  });
  return [...missing, ...changed];
}

function parametersOf(document: Json, { parameters }: Json): Map<string, Json> {
  return new Map(
    ((parameters ?? []) as Json[])
      .map((parameter) => resolve(document, parameter))
      .map((parameter) => [`${String(parameter['in'])} parameter ${String(parameter['name'])}`, parameter] as const),
  );
}

function bodyChanges(name: string, documents: Documents, before: Json, after: Json): string[] {
  const [old, now] = [resolve(documents[0], before['requestBody']), resolve(documents[1], after['requestBody'])];
  const needed = now['required'] === true && old['required'] !== true;
  return [
    ...(needed ? [`${name}: a body became required`] : []),
    ...contentChanges('request', `${name}: body`, documents, old, now),
  ];
}

function responseChanges(name: string, documents: Documents, before: Json, after: Json): string[] {
  const now = after['responses'] as Record<string, Json>;
  return Object.entries(before['responses'] as Record<string, Json>).flatMap(([status, response]) => {
    const current = now[status];
    const at = `${name}: response ${status}`;
    // A refusal that no longer happens breaks no client; a success that no longer happens does.
    if (current === undefined) return status < '400' ? [`${at} was removed`] : [];
    const [was, is] = [resolve(documents[0], response), resolve(documents[1], current)];
    const headers = Object.keys(isObject(was['headers']) ? was['headers'] : {});
    const left = isObject(is['headers']) ? is['headers'] : {};
    return [
      ...headers.filter((header) => !Object.hasOwn(left, header)).map((header) => `${at}: ${header} was removed`),
      ...contentChanges('response', at, documents, was, is),
    ];
  });
}

function contentChanges(direction: Direction, at: string, documents: Documents, before: Json, after: Json): string[] {
  const [old, now] = [before, after].map(({ content }) => (isObject(content) ? content : {})) as [Json, Json];
  return Object.entries(old).flatMap(([type, media]) => {
    const current = now[type];
    if (!isObject(current) || !isObject(media)) return [`${at}: ${type} was removed`];
    return schemaChanges(direction, media['schema'], current['schema'], { at, documents });
  });
}
