import { ApiError } from '@lyceum/errors';
import type { Json } from '@lyceum/rest';
import { exampleArguments } from './operation.example.js';
import type { ApiOperation, DescribedOperation, OperationParameter } from './operation.js';

/** The tools have arguments in place of these. */
const DRY_RUN = 'dry_run';

type Paths = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/** The operations of the document by id. Schemas of bodies are most of it, so they are read when one is described. */
export class OperationCatalog {
  readonly all: readonly ApiOperation[];
  readonly #byId: ReadonlyMap<string, ApiOperation>;
  #document: Json | undefined;

  constructor(private readonly read: () => Json) {
    this.all = Object.entries(read()['paths'] as Paths)
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => readOperation({ path, method, operation })),
      )
      .sort((a, b) => (a.operation_id < b.operation_id ? -1 : 1));
    this.#byId = new Map(this.all.map((operation) => [operation.operation_id, operation]));
  }

  describe(operation_id: string): DescribedOperation {
    const operation = this.get(operation_id);
    const document = (this.#document ??= this.read());
    const written = (document['paths'] as Paths)[operation.path]?.[operation.method.toLowerCase()] ?? {};
    return {
      ...operation,
      body_schema: bodySchema(document, written),
      example_arguments_json: exampleArguments(document, operation, written),
    };
  }

  get(operation_id: string): ApiOperation {
    const operation = this.#byId.get(operation_id);
    if (operation !== undefined) return operation;
    throw new ApiError('not_found', 'The operation does not exist', { hint: 'Find one with search_operations' });
  }
}

function readOperation(route: { path: string; method: string; operation: Json }): ApiOperation {
  const { path, method, operation } = route;
  const security = (operation['security'] as { oauth2: string[] }[]).map(({ oauth2 }) => oauth2);
  const description = operation['description'];
  return {
    operation_id: String(operation['operationId']),
    summary: String(operation['summary']),
    description: typeof description === 'string' ? description : null,
    method: method.toUpperCase(),
    path,
    scopes: security.length === 1 ? security.flat() : [],
    scope: security.map((scopes) => scopes.join(' ')).join(' or '),
    parameters: (operation['parameters'] as Json[]).flatMap(readParameter),
  };
}

/** The shared parameters of the document are headers and `dry_run`. */
function readParameter(parameter: Json): OperationParameter[] {
  const { name, in: place, required, description, schema } = parameter;
  if ((place !== 'path' && place !== 'query') || name === DRY_RUN) return [];
  return [
    {
      name: String(name),
      in: place,
      required: required === true,
      description: typeof description === 'string' ? description : null,
      schema: schema as Json,
    },
  ];
}

function bodySchema(document: Json, operation: Json): Json | null {
  const body = operation['requestBody'] as { content: Record<string, { schema: Json }> } | undefined;
  const [media] = Object.values(body?.content ?? {});
  return media === undefined ? null : standalone(document, media.schema);
}

/** The schema with all schemas that it refers to. */
function standalone(document: Json, schema: Json): Json {
  const { schemas } = document['components'] as { schemas: Record<string, Json> };
  const definitions = new Map<string, Json>();
  const collect = (part: Json): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      const definition = schemas[name];
      if (definition === undefined || definitions.has(name)) continue;
      definitions.set(name, definition);
      collect(definition);
    }
  };
  collect(schema);
  const whole = definitions.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(definitions) };
  return JSON.parse(JSON.stringify(whole).replaceAll('"#/components/schemas/', '"#/$defs/')) as Json;
}
