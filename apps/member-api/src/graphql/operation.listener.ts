import type {
  GraphQLRequestContextDidResolveOperation,
  GraphQLRequestContextResponseForOperation,
  GraphQLRequestContextWillSendResponse,
  GraphQLRequestListener,
  GraphQLResponse,
} from '@apollo/server';
import { ApiError } from '@lyceum/errors';
import { databaseError } from '@lyceum/platform';
import type { BearerAuthenticator } from '@lyceum/resource-server';
import { GraphQLError } from 'graphql';
import type { OperationDefinitionNode } from 'graphql';
import type { CostPoints } from '#src/cost-points/cost-points.service.js';
import { LIMITS } from '#src/selection/limits.policy.js';
import type { PreparedOperation } from '#src/selection/prepared-operation.js';
import type { Variables } from '#src/selection/selection.js';
import type { ViewerService } from '#src/reading/viewer.service.js';
import { RawJson, requestError, respond, setContentType } from './apollo.internals.js';
import type { ErrorFormatter } from './error.formatter.js';
import { endOperation, isRefusedDocument } from './graphql-errors.policy.js';
import type { OperationMetrics } from './operation.metrics.js';
import { RESPONSE_TYPE } from '#src/schema/media-types.policy.js';
import { codedError } from '#src/schema/coded-error.js';
import type { MemberContext } from '#src/schema/member.context.js';
import { OPERATION_ACCESS } from '#src/schema/operation-access.js';
import { once } from './repeated-fields.rule.js';
import { NO_VARIABLES, coerceVariables } from './variables.policy.js';

/**
 * Processes one operation after Apollo has parsed and validated its document. Scope and limits are checked before it
 * runs, in the documented order. One SQL statement serves a query where possible. The resolvers serve the rest:
 * mutations, introspection, invalid cursors, and queries with a failing part.
 */
export class OperationListener implements GraphQLRequestListener<MemberContext> {
  #prepared: PreparedOperation | undefined;
  #variables: Variables = NO_VARIABLES;
  #points: Promise<number> | undefined;
  #cost: { requested: number; remaining: number } | undefined;

  constructor(
    private readonly authenticator: BearerAuthenticator,
    private readonly points: CostPoints,
    private readonly viewer: ViewerService,
    private readonly errors: ErrorFormatter,
    private readonly metrics: OperationMetrics,
  ) {}

  async didResolveOperation(context: GraphQLRequestContextDidResolveOperation<MemberContext>): Promise<void> {
    const { schema, document, operation, contextValue, request } = context;
    try {
      // Apollo reports the error itself when the operation name is not in the document.
      if (operation === undefined) return;
      this.#authorize(operation, contextValue);
      const prepared = this.viewer.prepare(schema, document, operation);
      const variables = coerceVariables(schema, prepared.operation, request.variables);
      if (variables === undefined) return;
      this.#variables = variables;
      this.#prepared = prepared.shape(variables);
      this.#limit(this.#prepared, contextValue);
    } catch (error) {
      throw endOfRequest(error);
    }
  }

  async responseForOperation(
    context: GraphQLRequestContextResponseForOperation<MemberContext>,
  ): Promise<GraphQLResponse | null> {
    try {
      const { operation, contextValue } = context;
      // The query runs while PostgreSQL spends its points. Its result is dropped when no points are left.
      if (this.#prepared?.statement !== undefined && operation.operation === 'query') {
        const reading = this.viewer.readData(this.#prepared, this.#variables, contextValue);
        // It is awaited below; until then a rejection must not be unhandled.
        reading.catch(() => undefined);
        await this.#settlePoints();
        const data = await reading;
        return data === undefined ? null : respond({ data: new RawJson(data) });
      }
      await this.#settlePoints();
      return null;
    } catch (error) {
      return this.#refuse(error);
    }
  }

  async willSendResponse({
    response,
    contextValue,
    errors,
  }: GraphQLRequestContextWillSendResponse<MemberContext>): Promise<void> {
    const { body, http } = response;
    const refused = body.kind === 'single' ? body.singleResult.errors : undefined;
    if (body.kind === 'single' && this.#cost === undefined && refused !== undefined && isRefusedDocument(refused)) {
      const { http: limited, body: instead } = (await this.#charge(contextValue)) ?? {};
      if (instead?.kind === 'single') body.singleResult.errors = instead.singleResult.errors ?? [];
      http.status = limited?.status ?? http.status;
      for (const [name, value] of limited?.headers ?? []) http.headers.set(name, value);
    }
    if (body.kind === 'single' && this.#cost !== undefined) {
      const cost = { ...this.#cost, limit: this.points.perMinute };
      body.singleResult.extensions = { ...body.singleResult.extensions, cost };
    }
    if (body.kind === 'single' && body.singleResult.errors !== undefined) {
      body.singleResult.errors = once(body.singleResult.errors);
    }
    if (body.kind === 'single') this.metrics.responded(body.singleResult.errors);
    setContentType(response, contextValue.responseType);
    // GraphQL over HTTP (draft): under application/json a request error is reported in the body with status 200. A
    // body that is no GraphQL request stays a 400.
    const malformed = errors?.some(({ extensions }) => extensions['code'] === 'BAD_REQUEST') === true;
    if (http.status === 400 && contextValue.responseType !== RESPONSE_TYPE && !malformed) http.status = 200;
  }

  /** Rejects with 403 before execution and before limits are checked. */
  #authorize(operation: OperationDefinitionNode, { principal, site }: MemberContext): void {
    const access = OPERATION_ACCESS[operation.operation];
    // Apollo refuses a subscription after this step, because the schema has none.
    if (access !== null) this.authenticator.authorize(principal, site, access);
  }

  #limit(prepared: PreparedOperation, { principal }: MemberContext): void {
    if (prepared.depth > LIMITS.depth) {
      throw codedError(
        'depth_limit_exceeded',
        `The query is ${prepared.depth} fields deep; ${LIMITS.depth} are allowed`,
      );
    }
    const requested = prepared.cost(this.#variables);
    if (requested > LIMITS.cost) {
      throw codedError('cost_limit_exceeded', `The query costs ${requested} points; ${LIMITS.cost} are allowed`);
    }
    this.#cost = { requested, remaining: 0 };
    const remaining = this.points.spend(principal, requested);
    if (typeof remaining === 'number') this.#cost.remaining = remaining;
    else {
      this.#points = remaining;
      // #settlePoints awaits it before the response; until then a rejection must not be unhandled.
      remaining.catch(() => undefined);
    }
  }

  /** Spends the points of a rejected document. Returns a replacement response when no points are left. */
  async #charge({ principal }: MemberContext): Promise<GraphQLResponse | undefined> {
    try {
      const remaining = await this.points.spend(principal, LIMITS.refused);
      this.#cost = { requested: LIMITS.refused, remaining };
      return undefined;
    } catch (error) {
      return this.#refuse(error);
    }
  }

  async #settlePoints(): Promise<void> {
    if (this.#points !== undefined && this.#cost !== undefined) this.#cost.remaining = await this.#points;
  }

  /** Apollo treats errors of this step as unexpected, so the response is built here. */
  #refuse(error: unknown): GraphQLResponse {
    const end = endOfRequest(error);
    if (!(end instanceof GraphQLError)) throw error;
    const http = end.extensions['http'] as GraphQLResponse['http'];
    return respond({ errors: [this.errors.format(end.toJSON(), end)] }, http);
  }
}

/** Marks an error as one of the whole request. */
function endOfRequest(error: unknown): unknown {
  const apiError = error instanceof ApiError ? error : databaseError(error);
  if (apiError !== undefined) return endOperation(apiError);
  if (!(error instanceof GraphQLError)) return error;
  return requestError(error, 400);
}
