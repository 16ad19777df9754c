import type { ApolloServerPlugin, GraphQLRequestListener } from '@apollo/server';
import { Plugin } from '@nestjs/apollo';
import { BearerAuthenticator } from '@lyceum/resource-server';
import { CostPoints } from '#src/cost-points/cost-points.service.js';
import { ViewerService } from '#src/reading/viewer.service.js';
import { ErrorFormatter } from './error.formatter.js';
import type { MemberContext } from '#src/schema/member.context.js';
import { OperationListener } from './operation.listener.js';
import { OperationMetrics } from './operation.metrics.js';

/** Adds OperationListener to Apollo's pipeline. */
@Plugin()
export class OperationPlugin implements ApolloServerPlugin<MemberContext> {
  constructor(
    private readonly authenticator: BearerAuthenticator,
    private readonly points: CostPoints,
    private readonly viewer: ViewerService,
    private readonly errors: ErrorFormatter,
    private readonly metrics: OperationMetrics,
  ) {}

  /** Apollo responds with 500 then, and does not call `willSendResponse`. */
  unexpectedErrorProcessingRequest(): Promise<void> {
    this.metrics.failed();
    return Promise.resolve();
  }

  requestDidStart(): Promise<GraphQLRequestListener<MemberContext>> {
    return Promise.resolve(
      new OperationListener(this.authenticator, this.points, this.viewer, this.errors, this.metrics),
    );
  }
}
