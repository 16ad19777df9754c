import { SCOPES, isScope } from '@lyceum/contracts';
import { PROBLEMS } from '@lyceum/errors';
import { MAX_JSON_DEPTH } from '@lyceum/platform';
import { BODY_LIMIT } from '#src/limits/body-limit.js';
import { QUOTAS } from '#src/limits/rate-limit.policy.js';
import { EXAMPLES, HEADERS, PARAMETERS, headerReference, problemResponse, problemSchema } from './components.js';
import { isWrite, problemsOf, takesIfMatch } from './problems.policy.js';
import { routesOf } from './routes.js';
import type { Controller, Route } from './routes.js';
import { Schemas, parameterSchema } from './schemas.js';
import type { Json } from './schemas.js';

/** Stands for the site's origin in the committed document; the served one has the origin of the site. */
export const BASE_URL = 'https://school.example';

function limitOf(subject: 'client' | 'person' | 'site'): string {
  return `${QUOTAS.read[subject].hits} reads and ${QUOTAS.write[subject].hits} writes`;
}

const DESCRIPTION = `The operator API of an online-learning site.

Access tokens come from the authorization-code flow with PKCE (see \`/auth.md\` of the site); each operation names the scope that it needs. Times are RFC 3339 in UTC, ids are UUIDs. Objects of other sites do not exist here.

- **Lists** are read page by page: \`limit\` (1 to 100), then \`cursor\` from \`page.next_cursor\`, or the \`Link\` header.
- **Changes** take \`Idempotency-Key\`, \`dry_run\` and, of objects that exist, \`If-Match\`. \`PATCH\` is JSON Merge Patch.
- **Without the read scope**, a change answers with the object that it changed. A request that changes nothing, a \`dry_run\` and a replay of an answer that was made with the read scope answer only with \`id\`, \`updated_at\` and what the request sent.
- **Errors** are \`application/problem+json\` (RFC 9457); \`code\` is for programs.
- **Limits** in a minute, at each site: ${limitOf('client')} for a person with one client, ${limitOf('person')} for a person with all clients, ${limitOf('site')} for all people and clients. Bodies have at most ${BODY_LIMIT / 1024} KiB and ${MAX_JSON_DEPTH} levels of lists and objects.`;

/** OpenAPI 3.1 of the controllers. */
export function buildDocument(controllers: readonly Controller[]): Json {
  const schemas = new Schemas();
  schemas.reference(problemSchema, 'output');
  const routes = routesOf(controllers);
  const responses = new Map<string, Json>();
  const paths: Record<string, Json> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = operation(route, schemas, responses);
  return {
    openapi: '3.1.1',
    info: { title: 'Lyceum operator API', version: '1.0.0', description: DESCRIPTION },
    servers: [{ url: BASE_URL }],
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: schemas.components,
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: Object.fromEntries([...responses].sort(([a], [b]) => (a < b ? -1 : 1))),
      examples: EXAMPLES,
      securitySchemes: { oauth2: securityScheme(routes) },
    },
  };
}

/** The collection: scopes are named as it is. */
function tagOf(route: Route): string {
  return route.scopes[0]?.split(':')[0] ?? '';
}

function operation(route: Route, schemas: Schemas, responses: Map<string, Json>): Json {
  const { id, summary, description, answers } = route.operation;
  const body = requestBody(route, schemas);
  return {
    operationId: id,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tagOf(route)],
    security: [{ oauth2: [...route.scopes] }],
    parameters: parameters(route),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { ...successes(route, answers, schemas), ...failures(route, responses) },
  };
}

function parameters(route: Route): Json[] {
  const inPath = route.parameters.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  }));
  const inQuery = Object.entries(route.query?.shape ?? {}).map(([name, schema]) => {
    const { description, ...converted } = parameterSchema(schema);
    const list = converted['type'] === 'array' ? { style: 'form', explode: false } : {};
    return { name, in: 'query', ...(description === undefined ? {} : { description }), ...list, schema: converted };
  });
  const shared = isWrite(route)
    ? ['DryRun', 'IdempotencyKey', ...(takesIfMatch(route) ? ['IfMatch'] : [])]
    : ['IfNoneMatch'];
  return [...inPath, ...inQuery, ...shared.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
}

/** A change of state takes no body, and a document says nothing of what nobody needs. */
function requestBody(route: Route, schemas: Schemas): Json | undefined {
  if (route.body === undefined || route.body.safeParse(undefined).success) return undefined;
  const schema = schemas.reference(route.body, 'input');
  const types = route.method === 'patch' ? ['application/merge-patch+json', 'application/json'] : ['application/json'];
  return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

function successes(route: Route, answers: Route['operation']['answers'], schemas: Schemas): Json {
  const always = ['XRequestId', 'RateLimitPolicy', 'RateLimit'];
  const responses = Object.entries(answers).map(([status, { description, schema }]) => {
    const own = [
      ...(schema === undefined ? [] : ['ETag']),
      ...(status === '201' ? ['Location'] : []),
      ...(route.query !== undefined && 'cursor' in route.query.shape ? ['Link'] : []),
      ...(isWrite(route) ? ['IdempotentReplayed'] : []),
    ];
    const headers = headerReference(...always, ...own);
    if (schema === undefined) return [status, { description, headers }];
    const content = { 'application/json': { schema: schemas.reference(schema, 'output') } };
    return [status, { description, headers, content }];
  });
  const notModified = isWrite(route)
    ? {}
    : { 304: { description: 'The caller has it already', headers: headerReference('XRequestId', 'ETag') } };
  return { ...(Object.fromEntries(responses) as Json), ...notModified };
}

/** By status; operations that fail in the same ways share the responses. */
function failures(route: Route, shared: Map<string, Json>): Json {
  const byStatus = Map.groupBy(problemsOf(route), (code) => PROBLEMS[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const name = codes.join('.');
      shared.set(name, problemResponse(codes));
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
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
