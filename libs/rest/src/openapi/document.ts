import { SCOPES, isScope } from '@lyceum/contracts';
import { API_ERROR_CODES, PROBLEMS } from '@lyceum/errors';
import { MAX_JSON_DEPTH } from '@lyceum/platform';
import { z } from 'zod';
import { STORED_CODES } from '../idempotency/stored-response.js';
import { DECIMALS_RULE } from '../validation/money.js';
import { BODY_LIMIT } from '../limits/body-limit.js';
import { ITEM_QUOTAS, QUOTAS } from '../limits/rate-limit.policy.js';
import { HEADERS, PARAMETERS, problemResponse, problemSchema } from './components.js';
import { withDeprecation } from '../routes/deprecation.js';
import { BASE_URL, problemOf } from './problem-example.js';
import { isWrite, problemsOf, takesIfMatch, takesIfNoneMatch } from './problems.policy.js';
import type { Route } from '../routes/route.js';
import { Schemas, parameterSchema } from './schemas.js';
import type { Json } from './schemas.js';
import { successResponses } from './successes.js';
import { WEBHOOK_HEADERS, WEBHOOK_TAG, webhooksOf } from './webhooks.js';
import type { Webhook } from './webhooks.js';

/** Between the codes in the name of a shared response. */
const SEPARATOR = '.';
/** After the codes of a response that may be that of an earlier request. */
const REPLAYED = 'replayed';

function limitOf(subject: 'client' | 'person' | 'site' | 'source'): string {
  return `${QUOTAS.read[subject].hits} reads and ${QUOTAS.write[subject].hits} writes`;
}

const DESCRIPTION = `The operator API of an online-learning site.

Access tokens come from the authorization-code flow with PKCE (see \`/auth.md\` of the site); each operation names the scope that it needs. Times are RFC 3339 in UTC, ids are UUIDs. Requests also name an enrollment, a purchase, a booking, a registration or a post by its id in the member API, such as \`enr_…\`. A request can have a date in place of a time: \`2026-11-28\` is the start of this day in the time zone of the school. Objects of other sites do not exist here.

- **Lists** are read page by page: \`limit\` (1 to 100), then \`cursor\` from \`page.next_cursor\`, or the \`Link\` header. \`state=draft,published\` takes several states, \`metadata[key]=value\` finds objects by your own values, and \`expand\` adds other objects where an operation lists it.
- **\`fields\`** selects fields of objects, also in lists: the response then has these alone. The schemas describe the response without \`fields\`, which has all that are required.
- **Changes** take \`Idempotency-Key\`, \`dry_run\` and, of objects that exist, \`If-Match\`. \`PUT …/by_external_id/…\` takes \`If-None-Match: *\`, which only creates. \`PATCH\` is JSON Merge Patch.
- **Actions** such as \`publish\` change nothing when the object has the state already, and respond with the object. From any other state that they do not start from they respond 409 \`invalid_state\`.
- **Without the read scope**, a change answers with the object that it changed. A request that changes nothing, a \`dry_run\` and a replay of an answer that was made with the read scope answer only with \`id\`, \`updated_at\` and what the request sent.
- **Money** is a whole number of minor units with its currency: 150000 is 1,500.00 TWD or 150,000 JPY. ${DECIMALS_RULE}
- **Errors** are \`application/problem+json\` (RFC 9457); \`code\` is for programs, and \`type\` is the URL of the page that documents it (\`/docs/errors\`).
- **Limits** in a minute, at each site: ${limitOf('client')} for a person with one client, ${limitOf('person')} for a person with all clients, ${limitOf('site')} for all people and clients. Each item of a bulk request counts too: ${ITEM_QUOTAS.client.hits} items for a person with one client, ${ITEM_QUOTAS.site.hits} for all people and clients. Requests without a good token count for the address that they come from: ${limitOf('source')} at all sites. Bodies have at most ${BODY_LIMIT / 1024} KiB and ${MAX_JSON_DEPTH} levels of lists and objects.`;

/** Schemas of parameters in paths. A parameter that is named as an id of the platform is a UUID. */
const ID = { type: 'string', format: 'uuid' };
const WORD = { type: 'string', minLength: 1, maxLength: 255 };
const CONTACT = { name: 'Developer support of the site', url: `${BASE_URL}/auth.md` };
const LICENSE = { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' };

/** The routes of the operator surface, in the order of the document. */
export interface Surface {
  readonly routes: readonly Route[];
  /** A description of each tag. */
  readonly tags: Readonly<Record<string, string>>;
  /** Messages that the service sends. */
  readonly webhooks?: readonly Webhook[];
}

/** Returns the OpenAPI 3.1 document of a surface. */
export function buildDocument({ routes, tags, webhooks = [] }: Surface): Json {
  const schemas = new Schemas();
  schemas.reference(problemSchema, 'output');
  const responses = new Map<string, Json>();
  const paths: Record<string, Json> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = operation(route, schemas, responses);
  const messages = webhooksOf(webhooks, schemas);
  const sends = webhooks.length > 0;
  return {
    openapi: '3.1.1',
    info: {
      title: 'Lyceum operator API',
      version: '1.0.0',
      description: DESCRIPTION,
      contact: CONTACT,
      license: LICENSE,
    },
    servers: [{ url: BASE_URL }],
    tags: [...new Set([...routes.map(tagOf), ...(sends ? [WEBHOOK_TAG] : [])])].map((name) => describeTag(name, tags)),
    paths,
    ...(sends && { webhooks: messages }),
    components: {
      schemas: schemas.components,
      parameters: { ...PARAMETERS, ...(sends && WEBHOOK_HEADERS) },
      headers: HEADERS,
      responses: Object.fromEntries([...responses].sort(([a], [b]) => (a < b ? -1 : 1))),
      examples: { ...examplesOf([...responses.keys()]), ...schemas.examples },
      securitySchemes: { oauth2: securityScheme(routes) },
    },
  };
}

function describeTag(name: string, tags: Surface['tags']): { name: string; description: string } {
  const description = tags[name];
  if (description === undefined) throw new Error(`The tag ${name} has no description`);
  return { name, description };
}

/** Scopes are named as their collection is. */
function tagOf({ tag, scopes }: Route): string {
  return tag ?? scopes[0].split(':')[0] ?? '';
}

/** Each requirement of the list is sufficient. */
function securityOf({ scopes, anyScope }: Route): Json[] {
  return anyScope === true ? scopes.map((scope) => ({ oauth2: [scope] })) : [{ oauth2: [...scopes] }];
}

function operation(route: Route, schemas: Schemas, responses: Map<string, Json>): Json {
  const { id, summary, description, deprecated } = route.operation;
  const body = requestBody(route, schemas);
  return {
    operationId: id,
    summary,
    description: withDeprecation(description, deprecated),
    ...(deprecated === undefined ? {} : { deprecated: true }),
    tags: [tagOf(route)],
    security: securityOf(route),
    parameters: parameters(route),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { ...successResponses(route, schemas), ...failures(route, responses) },
  };
}

function parameters(route: Route): Json[] {
  const inPath = route.parameters.map((name) => ({
    name,
    in: 'path',
    required: true,
    description: describePathParameter(name),
    schema: pathParameter(route, name),
  }));
  const inQuery = Object.entries(route.query?.shape ?? {}).map(([name, schema]) => {
    const { description, ...converted } = parameterSchema(schema);
    return {
      name,
      in: 'query',
      ...(description === undefined ? {} : { description }),
      ...styleOf(converted),
      schema: converted,
    };
  });
  const conditions = [
    ...(takesIfMatch(route) ? ['IfMatch'] : []),
    ...(takesIfNoneMatch(route) ? ['IfNoneMatchToCreate'] : []),
  ];
  const shared = isWrite(route) ? ['DryRun', 'IdempotencyKey', ...conditions] : ['IfNoneMatch'];
  return [...inPath, ...inQuery, ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
}

function pathParameter({ parameterSchemas = {} }: Route, name: string): Json {
  const own = parameterSchemas[name];
  if (own !== undefined) return parameterSchema(own);
  return name !== 'external_id' && /(?:^|_)id$/.test(name) ? ID : WORD;
}

function describePathParameter(name: string): string {
  if (name === 'id') return 'Id of the object';
  if (name === 'external_id') return 'Your own id of the object';
  const words = name.replaceAll('_', ' ');
  return words.endsWith(' id') ? `Id of the ${words.slice(0, -3)}` : `The ${words}`;
}

/** How a value is written that is no text: `a,b` for a list, and `name[key]=value` for an object. */
function styleOf({ type, anyOf = [] }: Json): Json {
  if (type === 'object') return { style: 'deepObject', explode: true };
  const isList = type === 'array' || (anyOf as readonly Json[]).some((one) => one['type'] === 'array');
  return isList ? { style: 'form', explode: false } : {};
}

/** The document leaves out the empty body of a change of state. */
function requestBody(route: Route, schemas: Schemas): Json | undefined {
  if (route.body === undefined || route.body instanceof z.ZodOptional) return undefined;
  const optional = route.body instanceof z.ZodPrefault;
  const media = schemas.media(optional ? (route.body.unwrap() as z.ZodType) : route.body, 'input');
  const types = route.method === 'patch' ? ['application/merge-patch+json', 'application/json'] : ['application/json'];
  return { required: !optional, content: Object.fromEntries(types.map((type) => [type, media])) };
}

/** Returns the error responses by status. Operations with equal errors share a response. */
function failures(route: Route, shared: Map<string, Json>): Json {
  const byStatus = Map.groupBy(problemsOf(route), (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const isReplayed = isWrite(route) && codes.some((code) => STORED_CODES.has(code));
      const name = [...codes, ...(isReplayed ? [REPLAYED] : [])].join(SEPARATOR);
      shared.set(name, problemResponse(codes, isReplayed));
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

/** An example of every code that a response has. */
function examplesOf(responses: readonly string[]): Json {
  const used = new Set(responses.flatMap((name) => name.split(SEPARATOR)));
  return Object.fromEntries(
    API_ERROR_CODES.filter((code) => used.has(code)).map((code) => [code, { value: problemOf(code) }]),
  );
}

function securityScheme(routes: readonly Route[]): Json {
  const scopes = [...new Set(routes.flatMap((route) => route.scopes))];
  return {
    type: 'oauth2',
    description: 'Authorization code with PKCE (S256)',
    flows: {
      authorizationCode: {
        authorizationUrl: `${BASE_URL}/oauth/authorize`,
        tokenUrl: `${BASE_URL}/api/oauth/token`,
        refreshUrl: `${BASE_URL}/api/oauth/token`,
        scopes: Object.fromEntries(scopes.map((name) => [name, isScope(name) ? SCOPES[name].words : ''])),
      },
    },
  };
}
