import { headerReference } from './components.js';
import { isWrite } from './problems.policy.js';
import type { Route } from '../routes/route.js';
import type { Json, Schemas } from './schemas.js';

const DRY_RUN = 'With `dry_run`: the object as it would be; its `id` is null while it does not exist';
const ALWAYS = ['XRequestId', 'RateLimitPolicy', 'RateLimit'];

type ApiResponses = Route['operation']['responses'];

/** The responses below 400, by status. */
export function successResponses(route: Route, schemas: Schemas): Json {
  const responses = Object.entries(responsesOf(route)).map(([status, response]) => [
    status,
    successResponse(route, status, response, schemas),
  ]);
  const notModified = isWrite(route)
    ? {}
    : {
        304: {
          description: 'Not modified: the caller has the current version',
          headers: headerReference(...ALWAYS, 'ETag'),
        },
      };
  return { ...(Object.fromEntries(responses) as Json), ...notModified };
}

/** Every write has a dry run, which is a 200: that of a creation has the schema of the 201. */
function responsesOf(route: Route): ApiResponses {
  const { id, responses } = route.operation;
  if (!isWrite(route)) return responses;
  const { 200: ok, 201: created } = responses;
  if (created === undefined && ok === undefined) throw new Error(`${id} lacks the response to dry_run`);
  if (created === undefined) return responses;
  return {
    ...responses,
    200: { ...created, description: ok === undefined ? DRY_RUN : `${ok.description}. ${DRY_RUN}` },
  };
}

function successResponse(route: Route, status: string, response: ApiResponses[number], schemas: Schemas): Json {
  const { description, schema } = response;
  const headers = headerReference(
    ...ALWAYS,
    ...(schema === undefined ? [] : ['ETag']),
    ...(status === '201' ? ['Location'] : []),
    ...(route.query !== undefined && 'cursor' in route.query.shape ? ['Link'] : []),
    ...(isWrite(route) ? ['IdempotentReplayed', ...(status === '200' ? ['DryRun'] : [])] : []),
  );
  if (schema === undefined) return { description, headers };
  return { description, headers, content: { 'application/json': schemas.media(schema, 'output') } };
}
