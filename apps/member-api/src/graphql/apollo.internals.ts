import { ApolloServer, HeaderMap } from '@apollo/server';
import type { ApolloServerOptionsWithSchema, BaseContext, GraphQLResponse } from '@apollo/server';
import { ApolloDriver } from '@nestjs/apollo';
import type { ApolloDriverConfig } from '@nestjs/apollo';
import type { FastifyInstance } from 'fastify';
import { GraphQLError } from 'graphql';
import type { DocumentNode, FormattedExecutionResult, GraphQLField, ValidationContext } from 'graphql';

/**
 * Undocumented internals of Apollo Server, of Nest's driver and of graphql-js that this service relies on.
 * apollo.internals.spec.ts checks every assumption against the installed versions.
 */

/** No header is needed: the gate has checked the media types, and Apollo accepts a parsed body. */
const NO_HEADERS = new HeaderMap();

export interface Executed {
  readonly status: number;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  readonly body: string;
}

/** Runs one request with a parsed body, without copying its headers. */
export async function executeBody(server: ApolloServer, body: unknown, context: BaseContext): Promise<Executed> {
  const response = await server.executeHTTPGraphQLRequest({
    httpGraphQLRequest: { method: 'POST', headers: NO_HEADERS, search: '', body },
    context: () => Promise.resolve(context),
  });
  // Only @defer and @stream respond in chunks; the schema has neither.
  if (response.body.kind !== 'complete') throw new Error('Apollo answered in chunks');
  return { status: response.status ?? 200, headers: response.headers, body: response.body.string };
}

/**
 * Nest's driver without a route of its own. The driver calls `registerFastify` once, with the finished options, which
 * are those of Apollo too, and stops `apolloServer` with the application.
 */
export abstract class RoutedDriver extends ApolloDriver {
  protected override async registerFastify({ schema, path = '/', ...options }: ApolloDriverConfig): Promise<void> {
    if (schema === undefined) throw new Error('Nest made no schema');
    const server = new ApolloServer({ ...options, schema } as ApolloServerOptionsWithSchema<BaseContext>);
    await server.start();
    this.apolloServer = server;
    this.route(this.httpAdapterHost.httpAdapter.getInstance<FastifyInstance>(), path, server);
  }

  protected abstract route(fastify: FastifyInstance, path: string, server: ApolloServer): void;
}

/**
 * The `data` of a response as PostgreSQL wrote it. Apollo hands the `data` of `responseForOperation` to
 * `stringifyResult` as it is, without reading it. The index signature makes it an object of fields for Apollo's types.
 */
export class RawJson {
  [field: string]: unknown;

  constructor(readonly text: string) {}
}

/** Apollo's `stringifyResult`. */
export function stringifyResult(result: FormattedExecutionResult): string {
  const data: unknown = result.data;
  if (!(data instanceof RawJson)) return JSON.stringify(result);
  const extensions = result.extensions === undefined ? '' : `,"extensions":${JSON.stringify(result.extensions)}`;
  return `{"data":${data.text}${extensions}}`;
}

/** The return value of `responseForOperation`. Apollo merges status and headers into those of the response. */
export function respond(singleResult: FormattedExecutionResult, http?: GraphQLResponse['http']): GraphQLResponse {
  return { http: http ?? { status: undefined, headers: NO_HEADERS }, body: { kind: 'single', singleResult } };
}

/** The error of a request as a whole. Apollo takes status and headers from `extensions.http` and does not send it. */
export function requestError(error: GraphQLError, status: number): GraphQLError {
  const http = { status, headers: NO_HEADERS };
  return new GraphQLError(error.message, { extensions: { ...error.extensions, http } });
}

/** Apollo negotiates the media type of a response unless `willSendResponse` has set it. */
export function setContentType({ http }: Pick<GraphQLResponse, 'http'>, type: string): void {
  http.headers.set('content-type', `${type}; charset=utf-8`);
}

/** Apollo's `validationOptions.maxErrors`: graphql-js stops to validate with the error after them. */
export const VALIDATION_ERRORS = 20;

/** Ends the validation of a document at once: the rules visit it together, so no later rule sees more of it. */
export function stopValidation(context: ValidationContext, message: string): void {
  for (let n = 0; n <= VALIDATION_ERRORS; n += 1) context.reportError(new GraphQLError(message));
}

/** Characters of the document's text: `parse` keeps its source. A document without it counts as `otherwise`. */
export function textLength({ loc }: DocumentNode, otherwise: number): number {
  return loc?.source.body.length ?? otherwise;
}

/** Replaces the resolver in a schema that has been made: graphql-js reads `resolve` at each execution. */
export function resolveFromKey(field: GraphQLField<unknown, unknown>): void {
  field.resolve = (source, _arguments, _context, { path }) => (source as Record<string | number, unknown>)[path.key];
}
