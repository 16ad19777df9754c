type Json = Readonly<Record<string, unknown>>;
type Members = Readonly<Record<string, Json>>;
interface Operation {
  readonly parameters?: readonly { readonly name?: string }[];
  readonly responses: Readonly<Record<string, Response>>;
}
interface Response {
  readonly content?: Readonly<Record<string, { readonly schema: Json & { readonly $ref?: string } }>>;
}

const JSON_TYPE = 'application/json';
const DRY_RUN = { type: 'boolean', const: true };
const REFERENCE = '#/components/schemas/';

/**
 * The document with the forms that it describes in words alone: a response to `fields`, to `dry_run` and to a write
 * without the read scope has some fields of the object. Validators need them; types of clients are better without.
 */
export function withPartialForms(document: object): Json {
  const { paths, components } = structuredClone(document) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: { readonly schemas: Record<string, Json> };
  };
  const operations = Object.values(paths).flatMap((methods) =>
    Object.entries(methods).map(([method, operation]) => ({ isWrite: method !== 'get', operation })),
  );
  const namesOf = (statuses: readonly string[], wanted: (typeof operations)[number][]): ReadonlySet<string> =>
    new Set(wanted.flatMap(({ operation }) => statuses.flatMap((status) => nameIn(operation, status) ?? [])));
  const writes = operations.filter(({ isWrite }) => isWrite);
  const [created, changed] = [namesOf(['201'], operations), namesOf(['200', '201'], writes)];

  const { schemas } = components;
  const partial = (name: string): Json => {
    const { properties = {}, required, ...whole } = schemas[name] as Json & { readonly properties?: Members };
    const data = properties['data'] as { readonly items: { readonly $ref: string } } | undefined;
    const id = created.has(name) ? { id: { anyOf: [properties['id'], { type: 'null' }] } } : {};
    schemas[`Partial${name}`] = {
      ...whole,
      ...(data === undefined
        ? { properties: { ...(changed.has(name) ? { dry_run: DRY_RUN, ...open(properties) } : properties), ...id } }
        : // The page itself is whole.
          { required, properties: { ...properties, data: { type: 'array', items: partial(nameOf(data.items)) } } }),
    };
    return { $ref: `${REFERENCE}Partial${name}` };
  };
  for (const { isWrite, operation } of operations) {
    const name = nameIn(operation, '200');
    const hasFields = operation.parameters?.some((parameter) => parameter.name === 'fields') === true;
    if (name === undefined || !(isWrite || hasFields)) continue;
    const content = operation.responses['200']?.content as Record<string, { schema: Json }>;
    content[JSON_TYPE]!.schema = { anyOf: [{ $ref: `${REFERENCE}${name}` }, partial(name)] };
  }
  return { ...document, paths, components };
}

function nameIn({ responses }: Operation, status: string): string | undefined {
  const schema = responses[status]?.content?.[JSON_TYPE]?.schema;
  return schema?.$ref === undefined ? undefined : nameOf(schema);
}

const nameOf = ({ $ref: reference = '' }: { readonly $ref?: string }): string => reference.replace(REFERENCE, '');

/** The fields of an object whose inner objects may lack fields, too. */
function open(members: Members): Json {
  return Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, withoutRequired(schema)]));
}

function withoutRequired({ required: _required, ...schema }: Json): Json {
  const { anyOf, properties } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: (anyOf as Json[]).map(withoutRequired) };
  return typeof properties === 'object' ? { ...schema, properties: open(properties as Members) } : schema;
}
