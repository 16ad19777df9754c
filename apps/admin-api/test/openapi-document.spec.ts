import { OPERATOR_SCOPES } from '@lyceum/contracts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { INSTANT_OR_DATE, buildDocument, type Json } from '@lyceum/rest';
import { surface } from '#src/surface.js';
import { builtDocument } from './described.js';

const built = builtDocument('openapi.json');
const document = JSON.parse(built) as Json & {
  paths: Record<string, Record<string, Json>>;
  webhooks: Record<string, { post: Json }>;
  components: Record<string, Json>;
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
);

type SecurityScheme = { flows: { authorizationCode: { scopes: Json } } };
type Reference = { $ref?: string };
type Content = { content?: Record<string, { schema: Reference; examples?: Record<string, Reference> }> };

/** The object that a reference names. */
const follow = ({ $ref: reference = '' }: Reference): Json =>
  reference
    .slice(2)
    .split('/')
    .reduce<Json>((at, step) => at[step] as Json, document);

/** The bodies of all requests and of all responses that are no problems. */
const bodies = operations.flatMap(({ operation }) => {
  const responses = Object.entries(operation['responses'] as Record<string, Content>);
  const all = [['request', operation['requestBody'] as Content | undefined] as const, ...responses];
  return all.flatMap(([name, body]) =>
    Object.entries(body?.content ?? {}).map(([type, media]) => ({
      at: `${String(operation['operationId'])} ${name} ${type}`,
      media,
    })),
  );
});

/** The codes of a problem. */
const codesOf = ({ examples = {} }: { examples?: Json }): string[] => Object.keys(examples);

/** First words of summaries, by the verb of an operation id. Other verbs are acts of one resource. */
const VERBS: Readonly<Record<string, string>> = {
  list: 'List',
  get: 'Get',
  create: 'Create',
  add: 'Create',
  put: 'Create or update',
  update: 'Update',
  delete: 'Delete',
};

/** All schemas in a part of the document, also behind references. */
function schemasIn(value: unknown, seen = new Set<string>()): Json[] {
  if (Array.isArray(value)) return value.flatMap((one) => schemasIn(one, seen));
  if (typeof value !== 'object' || value === null) return [];
  const { $ref: reference, examples: _examples, example: _example, ...members } = value as Json & Reference;
  if (typeof reference === 'string') {
    if (seen.has(reference)) return [];
    return schemasIn(follow({ $ref: reference }), seen.add(reference));
  }
  return [members, ...Object.values(members).flatMap((one) => schemasIn(one, seen))];
}

/** All properties of all schemas, also of inner objects, with those of lists under the name of the list. */
const properties = propertiesOf(document.components['schemas']);

function propertiesOf(value: unknown, name = ''): [string, Json][] {
  if (Array.isArray(value)) return value.flatMap((one) => propertiesOf(one, name));
  if (typeof value !== 'object' || value === null) return [];
  const { properties: own, examples: _examples, ...others } = value as Json;
  return [
    ...('type' in value ? [[name, value] as [string, Json]] : []),
    ...Object.entries((own ?? {}) as Json).flatMap(([property, schema]) => propertiesOf(schema, property)),
    ...Object.values(others).flatMap((other) => propertiesOf(other, name)),
  ];
}

/** Titles, summaries and descriptions. */
function everyText(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    typeof member === 'string' && /^(?:title|summary|description)$/.test(key) ? [member] : everyText(member),
  );
}

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(document, 'openapi.json');

describe('the built openapi.json', () => {
  it('matches the declarations', () => {
    expect(document).toEqual(JSON.parse(JSON.stringify(buildDocument(surface))));
  });

  it('passes the schema of OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate(structuredClone(document));
    expect(result).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  it('contains unique names and no dangling reference', () => {
    const messages = Object.values(document.webhooks).map(({ post }) => post);
    expect(messages.length).toBeGreaterThan(50);
    const ids = [...operations.map(({ operation }) => operation), ...messages].map((one) => one['operationId']);
    expect(new Set(ids).size).toBe(ids.length);
    const references = [...built.matchAll(/"\$ref": "#\/([^"]+)"/g)].map(([, path = '']) => path);
    expect(references.length).toBeGreaterThan(50);
    for (const path of new Set(references)) {
      const found = path.split('/').reduce<unknown>((at, step) => (at as Json | undefined)?.[step], document);
      expect([path, found]).toEqual([path, expect.anything()]);
    }
  });

  it('names a scope for every operation and no other scope in the scheme', () => {
    const needed = operations.flatMap(({ operation }) =>
      (operation['security'] as { oauth2: string[] }[]).map(({ oauth2 }) => oauth2),
    );
    expect(needed.length).toBeGreaterThanOrEqual(operations.length);
    expect(needed.every((scopes) => scopes.length === 1)).toBe(true);
    const { oauth2 } = document.components['securitySchemes'] as Record<'oauth2', SecurityScheme>;
    const scopes = new Set(OPERATOR_SCOPES);
    expect(new Set(Object.keys(oauth2.flows.authorizationCode.scopes))).toEqual(scopes);
    expect(new Set(needed.flat())).toEqual(scopes);
  });

  it('shows an example of every error code that an operation returns', () => {
    const responses = Object.values(document.components['responses'] as Record<string, Content>);
    const returned = responses.flatMap(({ content }) => Object.values(content ?? {}).flatMap(codesOf));
    expect(new Set(returned).size).toBeGreaterThan(15);
    expect(Object.keys(document.components['examples'] ?? {})).toEqual(expect.arrayContaining(returned));
  });

  it('describes every operation, every tag and every dry run', () => {
    for (const { method, operation } of operations) {
      expect([operation['operationId'], operation['description']]).toEqual([
        operation['operationId'],
        expect.stringMatching(/^[A-Z`].+\.$/s),
      ]);
      expect([method, Object.keys(operation['responses'] as Json)]).toEqual([method, expect.arrayContaining(['200'])]);
    }
    for (const tag of document['tags'] as Json[]) expect(tag['description']).toMatch(/^[A-Z].+\.$/);
  });

  it('describes every parameter', () => {
    const named = operations.flatMap(({ operation }) => (operation['parameters'] ?? []) as (Json & Reference)[]);
    const parameters = named.map((one) => ('$ref' in one ? follow(one) : one));
    expect(parameters.length).toBeGreaterThan(operations.length);
    expect(parameters.filter(({ description }) => description === undefined)).toEqual([]);
  });

  it.each(['CourseList', 'CourseBulkResults'])('describes every member that %s adds to its objects', (name) => {
    type Members = Record<string, Json & { properties?: Members; items?: { properties?: Members } }>;
    const schemas = document.components['schemas'] as Members;
    const membersOf = ({ properties: own = {} }: { properties?: Members }): [string, unknown][] =>
      Object.entries(own).flatMap(([key, member]) => [
        [key, member['description']] as [string, unknown],
        ...membersOf(member),
        ...membersOf(member.items ?? {}),
      ]);
    const members = membersOf(schemas[name] ?? {});
    expect(members.length).toBeGreaterThan(5);
    expect(members.filter(([, description]) => description === undefined)).toEqual([]);
  });

  it('shows an example of every object, which its schema accepts', () => {
    const schemas = Object.entries(document.components['schemas'] as Record<string, { examples?: unknown[] }>);
    expect(schemas.length).toBeGreaterThan(30);
    for (const [name, { examples }] of schemas) {
      // Each response with a problem has an example of each code.
      if (name === 'Problem') continue;
      expect([name, examples]).toEqual([name, [expect.any(Object)]]);
      const validate = ajv.getSchema(`openapi.json#/components/schemas/${name}`);
      expect([name, validate?.(examples?.[0]), validate?.errors]).toEqual([name, true, null]);
    }
  });

  it('shows an example of every body of requests and responses, which its schema accepts', () => {
    const shown = bodies.map(({ at, media: { schema, examples = {} } }) => {
      const [example = {}, ...others] = Object.values(examples).map(follow);
      const validate = ajv.getSchema(`openapi.json${schema.$ref ?? ''}`);
      return { at, others, valid: validate?.(example['value']), errors: validate?.errors };
    });
    expect(shown.length).toBeGreaterThan(operations.length);
    expect(shown).toEqual(shown.map(({ at }) => ({ at, others: [], valid: true, errors: null })));
  });

  it('describes every body as one whole object, which needs no cast', () => {
    const references = bodies.map(({ media: { schema } }) => Object.keys(schema));
    expect(references).toEqual(bodies.map(() => ['$ref']));
    expect(Object.keys(document.components['schemas'] ?? {}).filter((name) => name.startsWith('Partial'))).toEqual([]);
    expect(document['info']).toMatchObject({ description: expect.stringMatching(/`fields`.*Without the read scope/s) });
  });

  it('describes no count that can be negative', () => {
    const negative = properties
      .filter(
        ([, { type, minimum, exclusiveMinimum }]) =>
          [type].flat().includes('integer') && (minimum ?? exclusiveMinimum) === undefined,
      )
      .map(([name]) => name);
    // The refunds of a period can exceed its sales. A status is no count.
    expect([...new Set(negative)].toSorted()).toEqual(['net_minor', 'response_status', 'status']);
    expect(properties.filter(([, { minimum = 0 }]) => Number(minimum) < 0)).toEqual([]);
  });

  it('describes instants of requests with a pattern that accepts dates, and those of responses by their format', () => {
    const inputs = operations.flatMap(({ operation: { parameters, requestBody } }) =>
      schemasIn([parameters, requestBody]),
    );
    const outputs = operations.flatMap(({ operation: { responses } }) => schemasIn(responses));
    const instants = ({ pattern }: Json): boolean => pattern === INSTANT_OR_DATE.pattern;
    expect(inputs.filter(instants).length).toBeGreaterThan(100);
    expect(inputs.filter(({ format }) => format === 'date-time')).toEqual([]);
    expect(outputs.filter(({ format }) => format === 'date-time').length).toBeGreaterThan(100);
    expect(outputs.filter(instants)).toEqual([]);
  });

  it('names each act by one verb, in its id and its summary', () => {
    const named = operations.map(({ operation: { operationId, summary } }) => {
      const [verb = ''] = /^[a-z]+/.exec(String(operationId)) ?? [];
      return { id: String(operationId), first: VERBS[verb], summary: String(summary) };
    });
    const other = named.filter(({ first, summary }) => first !== undefined && !summary.startsWith(`${first} `));
    // Acts that people call otherwise than the creation of an object.
    expect(Object.fromEntries(other.map(({ id, summary }) => [id, summary.split(' ')[0]]))).toEqual({
      createBooking: 'Book',
      createEnrollment: 'Enroll',
      createExport: 'Export',
      createImport: 'Check',
      createPageDeployment: 'Deploy',
      createSubscription: 'Start',
      createUpload: 'Start',
      createWebhookDelivery: 'Send',
    });
    const verbs = new Set(named.map(({ summary }) => summary.split(' ')[0]));
    expect(['Add', 'Change', 'Edit', 'Modify', 'Remove', 'Make'].filter((verb) => verbs.has(verb))).toEqual(['Remove']);
  });

  it('leads each type of a change to the schema that has it', () => {
    const change = follow({ $ref: '#/components/schemas/Change' }) as { oneOf: Reference[]; discriminator: Json };
    const typesOf = (reference: Reference): string[] => {
      const { properties: own } = follow(reference) as { properties: { type: { enum: string[] } } };
      return own.type.enum;
    };
    const mapping = change.oneOf.flatMap((one) => typesOf(one).map((type) => [type, one.$ref] as const));
    expect(mapping.length).toBeGreaterThan(50);
    expect(change.discriminator).toEqual({ propertyName: 'type', mapping: Object.fromEntries(mapping) });
  });

  it('ends every sentence with one full stop', () => {
    const texts = everyText(document);
    expect(texts.length).toBeGreaterThan(1_000);
    expect(texts.filter((text) => /(?<!\.)\.\.(?!\.)/.test(text))).toEqual([]);
  });

  it('calls a part of an object a field: a member is a person', () => {
    const ofObjects =
      /(?:absent|other|some|these|those|unknown|following) members|members? (?:of the (?:body|object)|that the (?:body|row))/i;
    expect(everyText(document).filter((text) => ofObjects.test(text))).toEqual([]);
  });
});
