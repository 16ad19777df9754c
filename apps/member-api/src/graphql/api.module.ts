import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import type { ApolloDriverConfig } from '@nestjs/apollo';
import { Global, Logger, Module } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import { LIMITS } from '#src/selection/limits.policy.js';
import { VALIDATION_ERRORS, stringifyResult } from './apollo.internals.js';
import { DocumentStore } from './document-store.js';
import { ErrorFormatter } from './error.formatter.js';
import { introspectionRule } from './introspection.rule.js';
import { resolveByKey } from './keyed-resolvers.js';
import { MemberDriver } from './member.driver.js';
import { repeatedFieldsRule } from './repeated-fields.rule.js';
import { SchemaController } from './schema.controller.js';
import { describeRoots } from './sdl.js';
import { TransportModule } from './transport.module.js';

const apollo = (errors: ErrorFormatter): Omit<ApolloDriverConfig, 'driver'> => ({
  path: '/member/graphql',
  autoSchemaFile: true,
  transformSchema: (schema) => describeRoots(resolveByKey(schema)),
  // The schema is public, so introspection is on; it needs a token.
  introspection: true,
  graphiql: false,
  documentStore: new DocumentStore(),
  parseOptions: { maxTokens: LIMITS.tokens },
  validationRules: [repeatedFieldsRule, introspectionRule],
  validationOptions: { maxErrors: VALIDATION_ERRORS },
  stringifyResult,
  formatError: (formatted, error) => errors.format(formatted, error),
  includeStacktraceInErrorResponses: false,
  // The gate accepts application/json only, and the API uses no cookies, so CSRF is not possible.
  csrfPrevention: false,
  allowBatchedHttpRequests: false,
  persistedQueries: false,
  plugins: [ApolloServerPluginCacheControlDisabled()],
  // OperationListener sets the statuses of the draft; errors are ApiErrors instead of Nest's exceptions.
  preserveHttpStatusForExecutionErrors: false,
  autoTransformHttpErrors: false,
  stopOnTerminationSignals: false,
  logger: apolloLogger(),
});

/** The schema, and Apollo behind its route. Global, so that features read the schema without an import cycle. */
@Global()
@Module({
  imports: [
    GraphQLModule.forRootAsync<ApolloDriverConfig>({
      driver: MemberDriver,
      imports: [TransportModule],
      inject: [ErrorFormatter],
      useFactory: apollo,
    }),
  ],
  controllers: [SchemaController],
  exports: [GraphQLModule],
})
export class ApiModule {}

function apolloLogger(): NonNullable<ApolloDriverConfig['logger']> {
  const logger = new Logger('ApolloServer');
  return {
    debug: (message: unknown) => logger.debug(message),
    info: (message: unknown) => logger.log(message),
    warn: (message: unknown) => logger.warn(message),
    error: (message: unknown) => logger.error(message),
  };
}
