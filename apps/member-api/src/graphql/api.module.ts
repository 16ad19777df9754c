import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import type { ApolloDriverConfig } from '@nestjs/apollo';
import { Global, Logger, Module } from '@nestjs/common';
import { GraphQLModule } from '@nestjs/graphql';
import { LIMITS } from '#src/selection/limits.policy.js';
import { VALIDATION_ERRORS, stringifyResult } from './apollo.internals.js';
import { DocumentStore } from './document-store.js';
import { ErrorFormatter } from './error.formatter.js';
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
  // The schema is public, and so is asking for it, with a token.
  introspection: true,
  graphiql: false,
  documentStore: new DocumentStore(),
  parseOptions: { maxTokens: LIMITS.tokens },
  validationRules: [repeatedFieldsRule],
  validationOptions: { maxErrors: VALIDATION_ERRORS },
  stringifyResult,
  formatError: (formatted, error) => errors.format(formatted, error),
  includeStacktraceInErrorResponses: false,
  // Refused by the gate: no body but application/json, no cookie that a foreign page could use.
  csrfPrevention: false,
  allowBatchedHttpRequests: false,
  persistedQueries: false,
  plugins: [ApolloServerPluginCacheControlDisabled()],
  // Ours: the statuses of the draft, and outcomes instead of Nest's exceptions.
  preserveHttpStatusForExecutionErrors: false,
  autoTransformHttpErrors: false,
  stopOnTerminationSignals: false,
  logger: apolloLogger(),
});

/** The schema, and Apollo behind its route. Global: features below it read the schema, and it knows none of them. */
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
