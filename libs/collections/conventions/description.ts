import { withPartialForms } from '@lyceum/testing';
import type { ReceivedResponse } from '@lyceum/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Json } from './cases.js';

interface Media {
  readonly schema: Json & { readonly anyOf?: readonly unknown[] };
  /** Those of problems by their code. */
  readonly examples?: Json;
}
export interface DescribedOperation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name?: string; readonly in?: string; readonly schema?: Json }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Media>>; readonly $ref?: string }>
  >;
}

type Paths = Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;

const DOCUMENT = 'openapi.json';

/** JSON Pointer of the parts, as a URI fragment. */
const reference = (...parts: string[]): string =>
  `${DOCUMENT}#/${parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;

/** An OpenAPI document that responses are compared with. */
export class Description {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #document: Json;
  readonly #paths: Paths;
  readonly #templates: readonly (readonly [string, RegExp])[];

  constructor(described: Json) {
    const document = withPartialForms(described);
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(document, DOCUMENT);
    this.#document = document;
    this.#paths = document['paths'] as Paths;
    this.#templates = Object.keys(this.#paths)
      .toSorted((a, b) => parametersOf(a) - parametersOf(b))
      .map((path) => [path, new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)]);
  }

  operation(method: string, path: string): DescribedOperation {
    const found = this.#paths[path]?.[method.toLowerCase()];
    if (found === undefined) throw new Error(`The document lacks ${method} ${path}`);
    return found;
  }

  operations(): { readonly method: string; readonly path: string; readonly described: DescribedOperation }[] {
    return Object.entries(this.#paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, described]) => ({ method: method.toUpperCase(), path, described })),
    );
  }

  /** Paths of the lists that need no id. */
  lists(): string[] {
    return Object.entries(this.#paths)
      .filter(([path, { get }]) => !path.includes('{') && get?.parameters?.some(({ name }) => name === 'cursor'))
      .map(([path]) => path);
  }

  /** A schema without its references. */
  resolve(schema: Json): Json {
    const { $ref: target } = schema;
    return typeof target === 'string' ? this.resolve(this.#at(target.slice(2).split('/')) as Json) : schema;
  }

  /** Throws unless the document describes the response to the request: status, media type, body and error code. */
  assert(method: string, target: string, answer: ReceivedResponse): void {
    const { pathname, searchParams } = new URL(target, 'http://localhost');
    const path = this.#templates.find(([, pattern]) => pattern.test(pathname))?.[0];
    const verb = method.toLowerCase();
    const operation = path === undefined ? undefined : this.#paths[path]?.[verb];
    // Every path answers some requests alike: those of an unknown method, and those that accept no JSON.
    if (path === undefined || operation === undefined || answer.status === 406) return;
    const what = `${method} ${target} → ${answer.status}`;
    const response = operation.responses[String(answer.status)];
    if (response === undefined) throw new Error(`${what}: openapi.json describes no such status`);
    if (answer.text === '') return;
    const place = response.$ref?.slice(2).split('/') ?? ['paths', path, verb, 'responses', String(answer.status)];
    const resolved = this.#at(place) as DescribedOperation['responses'][string];
    const [type = ''] = (answer.headers['content-type'] ?? '').split(';');
    const media = resolved.content?.[type];
    if (media === undefined) throw new Error(`${what}: openapi.json describes no body of the type ${type}`);
    if (!type.includes('json')) return;
    const { code } = answer.body;
    if (answer.status >= 400 && !Object.hasOwn(media.examples ?? {}, String(code)))
      throw new Error(`${what}: openapi.json describes no ${String(code)}`);
    // The second alternative has some members only. A request that names no `fields` reads all of them.
    const whole = media.schema.anyOf !== undefined && verb === 'get' && !searchParams.has('fields');
    const schema = reference(...place, 'content', type, 'schema', ...(whole ? ['anyOf', '0'] : []));
    const validate = this.#ajv.getSchema(schema);
    if (validate === undefined) throw new Error(`${what}: ${schema} is not a schema`);
    if (!validate(answer.body)) throw new Error(`${what}: ${this.#ajv.errorsText(validate.errors)}`);
  }

  #at(place: readonly string[]): unknown {
    return place.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], this.#document);
  }
}

const parametersOf = (path: string): number => path.split('{').length;
