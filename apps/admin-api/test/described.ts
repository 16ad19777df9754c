import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answered } from '@lyceum/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema: { readonly anyOf?: readonly unknown[] } }>>;
}
interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { responses: Record<string, Response & { $ref?: string }> }>>>
  >;
}

const DOCUMENT = 'openapi.json';
const document = JSON.parse(readFileSync(join(__dirname, `../${DOCUMENT}`), 'utf8')) as Document;
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, DOCUMENT);

const templates = Object.keys(document.paths).map(
  (path) => [path, new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)] as const,
);

/** JSON Pointer of the parts, as a URI fragment. */
const reference = (...parts: string[]): string =>
  `${DOCUMENT}#/${parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;

/** Throws unless openapi.json describes the response to the request: status, media type and body. */
export function assertDescribed(method: string, target: string, answer: Answered): void {
  const { pathname, searchParams } = new URL(target, 'http://localhost');
  const path = templates.find(([, pattern]) => pattern.test(pathname))?.[0];
  const verb = method.toLowerCase();
  const operation = path === undefined ? undefined : document.paths[path]?.[verb];
  // Every path answers some requests alike: those of an unknown method, and those that accept no JSON.
  if (path === undefined || operation === undefined || answer.status === 406) return;
  const what = `${method} ${target} → ${answer.status}`;
  const response = operation.responses[String(answer.status)];
  if (response === undefined) throw new Error(`${what}: openapi.json describes no such status`);
  if (answer.text === '') return;
  const place = response.$ref?.slice(2).split('/') ?? ['paths', path, verb, 'responses', String(answer.status)];
  const resolved = place.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], document) as Response;
  const [type = ''] = (answer.headers['content-type'] ?? '').split(';');
  const media = resolved.content?.[type];
  if (media === undefined) throw new Error(`${what}: openapi.json describes no body of the type ${type}`);
  // The second alternative has some members only. A request that names no `fields` reads all of them.
  const whole = media.schema.anyOf !== undefined && verb === 'get' && !searchParams.has('fields');
  const schema = reference(...place, 'content', type, 'schema', ...(whole ? ['anyOf', '0'] : []));
  const validate = ajv.getSchema(schema);
  if (validate === undefined) throw new Error(`${what}: ${schema} is not a schema`);
  if (!validate(answer.body)) throw new Error(`${what}: ${ajv.errorsText(validate.errors)}`);
}
