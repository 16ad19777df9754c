import { API_ERROR_CODES, PROBLEMS } from '@lyceum/errors';
import type { Json } from '@lyceum/rest';
import { description } from './described.js';

type Response = { $ref?: string; headers?: Json; content?: Record<string, { examples?: Json }> };

/** The responses of all operations from 400 on. */
const errors = description.operations().flatMap(({ method, described: { operationId, responses } }) =>
  Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, response]) => {
      const { headers = {}, content = {} } = description.resolve(response) as Response;
      return {
        at: `${operationId} ${status}`,
        isWrite: method !== 'GET',
        codes: Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples)),
        headers: Object.keys(headers),
      };
    }),
);
type Described = (typeof errors)[number];

/** Codes of refusals that a key stores. While its first request runs, nothing is stored. */
const OF_STATE = API_ERROR_CODES.filter(
  (code) => [404, 409, 412].includes(PROBLEMS[code].status) && code !== 'idempotency_in_progress',
);

const hasOneOf =
  (...codes: string[]) =>
  (error: Described): boolean =>
    error.codes.some((code) => codes.includes(code));

it.each<[string, (error: Described) => boolean]>([
  ['X-Request-Id', () => true],
  ['RateLimit', ({ codes }) => !codes.includes('unknown_host')],
  ['RateLimit-Policy', ({ codes }) => !codes.includes('unknown_host')],
  ['WWW-Authenticate', hasOneOf('invalid_token', 'insufficient_scope')],
  ['Retry-After', hasOneOf('idempotency_in_progress', 'rate_limited', 'temporarily_unavailable')],
  ['Idempotent-Replayed', (error) => error.isWrite && hasOneOf(...OF_STATE)(error)],
])('describes %s of the errors that have it, and of no others', (header, of) => {
  const having = errors.filter(of);
  expect(having.length).toBeGreaterThan(100);
  expect(errors.filter(({ headers }) => headers.includes(header)).map(({ at }) => at)).toEqual(
    having.map(({ at }) => at),
  );
});
