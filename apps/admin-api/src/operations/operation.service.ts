import type { Principal } from '@lyceum/contracts';
import { ApiError, isApiErrorCode } from '@lyceum/errors';
import type { Problem } from '@lyceum/errors';
import { currentRequest, injectTrace } from '@lyceum/platform';
import { SiteDirectory, asInternalRequest } from '@lyceum/resource-server';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { Pager } from '@lyceum/rest';
import { ToolsDiscovery } from '@lyceum/tools';
import type { Page } from '@lyceum/rest';
import { OperationCatalog } from './operation.catalog.js';
import type { ApiOperation, DescribedOperation } from './operation.js';
import { argumentError, requestTarget } from './operation.request.policy.js';
import type { OperationArguments } from './operation.request.policy.js';
import { rankOperations } from './operation.search.policy.js';
import { toolOf } from './operation.tool.policy.js';

/** Bytes of a response that a tool shows: the envelope needs the rest of the 60 KiB of a result. */
const ANSWER_LIMIT = 59 * 1024;

export interface Asked {
  readonly arguments: OperationArguments;
  readonly idempotencyKey?: string | undefined;
  readonly ifMatch?: string | undefined;
  readonly dryRun?: boolean;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly etag: string | null;
  readonly body: unknown;
}

interface Found {
  readonly id: string;
  readonly rank: string;
  readonly operation: ApiOperation;
}

/**
 * Runs operations of the REST API for tools, as requests of the service to itself: guard, limits, validation,
 * idempotency and entity tags are the same because they are the same code.
 */
@Injectable()
export class OperationService {
  #tools: ReadonlySet<string> | undefined;

  constructor(
    private readonly catalog: OperationCatalog,
    private readonly sites: SiteDirectory,
    private readonly host: HttpAdapterHost,
    private readonly pager: Pager,
    private readonly tools: ToolsDiscovery,
  ) {}

  search(
    { site_id }: Pick<Principal, 'site_id'>,
    query: { readonly q?: string | undefined; readonly cursor?: string | undefined; readonly limit: number },
  ): Promise<Page<Found>> {
    const list = { collection: 'operations', site_id };
    return this.pager.page(list, { ...query, sort: 'rank' }, ([rank, id] = ['', '']) => {
      const found = rankOperations(this.catalog.all, query.q).map((one) => ({
        ...one,
        id: one.operation.operation_id,
      }));
      const rest = found.filter((one) => one.rank > rank || (one.rank === rank && one.id > id));
      return Promise.resolve(rest.slice(0, query.limit + 1));
    });
  }

  /** Adds the name of the tool that does the same as the operation. */
  withTool<Operation extends ApiOperation>(operation: Operation): Operation & { readonly tool: string | null } {
    this.#tools ??= this.tools.names();
    return { ...operation, tool: toolOf(operation, this.#tools) };
  }

  describe(operation_id: string): DescribedOperation {
    return this.catalog.describe(operation_id);
  }

  /** Scopes by operation, of those that read or of those that change. */
  scopes(kind: 'read' | 'change'): Record<string, readonly string[]> {
    const operations = this.catalog.all.filter(({ method }) => (method === 'GET') === (kind === 'read'));
    return Object.fromEntries(operations.map(({ operation_id, scopes }) => [operation_id, scopes]));
  }

  /** The hint for an operation of the other kind. */
  otherTool(kind: 'read' | 'change'): Record<string, string> {
    const others = Object.keys(this.scopes(kind === 'read' ? 'change' : 'read'));
    const advice = kind === 'read' ? 'changes something: use change_operation' : 'only reads: use read_operation';
    return Object.fromEntries(others.map((operation_id) => [operation_id, `${operation_id} ${advice}`]));
  }

  /** @throws the problem of the response. */
  async run(principal: Principal, operation_id: string, asked: Asked): Promise<ReceivedResponse> {
    const site = this.sites.byId(principal.site_id);
    if (site?.state !== 'active') throw new ApiError('unknown_host', 'The site does not exist');
    const operation = this.catalog.get(operation_id);
    const { body, query } = asked.arguments;
    const url = requestTarget(operation, {
      ...asked.arguments,
      query: asked.dryRun === true ? { ...query, dry_run: true } : query,
    });
    const response = await asInternalRequest({ principal, site }, () =>
      this.host.httpAdapter.getInstance<FastifyInstance>().inject({
        method: operation.method as 'GET',
        url,
        headers: headersOf(asked),
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      }),
    );
    if (response.statusCode >= 400) throw refusalOf(response, asked.arguments);
    return { status: response.statusCode, etag: headerOf(response, 'etag'), body: bodyOf(response, operation) };
  }
}

function headersOf({ arguments: { body }, idempotencyKey, ifMatch }: Asked): Record<string, string> {
  const requestId = currentRequest()?.requestId;
  const trace: Record<string, string> = {};
  injectTrace(trace);
  return {
    ...trace,
    ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
  };
}

function headerOf(response: LightMyRequestResponse, name: string): string | null {
  const value = response.headers[name];
  return typeof value === 'string' ? value : null;
}

function bodyOf(response: LightMyRequestResponse, { method }: Pick<ApiOperation, 'method'>): unknown {
  const size = Buffer.byteLength(response.body);
  if (size > ANSWER_LIMIT) {
    throw new ApiError('payload_too_large', `The response has ${size} bytes; at most ${ANSWER_LIMIT} can be shown`, {
      hint:
        method === 'GET'
          ? 'Ask for fewer objects with `limit` in the query, or for some of their members with `fields`'
          : 'The call succeeded: do not repeat it. Read the object with `fields`, or its parts from a list',
    });
  }
  return response.body === '' ? null : JSON.parse(response.body);
}

/** Converts a problem back to its error. Pointers name the arguments of the tool. */
function refusalOf(response: LightMyRequestResponse, args: OperationArguments): ApiError {
  const { code, detail, errors, hint } = response.json<
    Pick<Problem, 'detail' | 'errors' | 'hint'> & { code: string }
  >();
  const retryAfter = Number(headerOf(response, 'retry-after') ?? Number.NaN);
  return new ApiError(isApiErrorCode(code) ? code : 'internal', detail, {
    ...(errors === undefined ? {} : { errors: errors.map((error) => argumentError(error, args)) }),
    ...(hint === undefined ? {} : { hint }),
    ...(Number.isNaN(retryAfter) ? {} : { retryAfter }),
  });
}
