export { ConfigurationError, readConfiguration } from './configuration.js';
export { databaseEnvironment, secretKeys, secretTexts, serviceEnvironment } from './environment.js';
export type { DatabaseConfiguration, SecretKeys, ServiceConfiguration } from './environment.js';
export { runInContext, startService } from './service.js';
export type { Command, CreateApplication, RunningService, ServiceDefinition } from './service.js';
export { runService } from './run-service.js';
export { UsageError } from './usage-error.js';
export { RunsInBackground, ServesRequests } from './roles.js';
export { HealthRegistry } from './health.js';
export type { HealthCheck, Readiness } from './health.js';
export { createLogger } from './logger.js';
export { MetricsRegistry } from './metrics.js';
export { Lifecycle } from './lifecycle.js';
export { PlatformModule, createPlatform } from './platform.module.js';
export type { Platform } from './platform.module.js';
export { setBaseUrl } from './base-url.js';
export { decrypt, encrypt } from './cipher.js';
export { bodyErrors, fieldErrorSchema, jsonPointer, parameterErrors, receivedFieldErrors } from './field-errors.js';
export { ProblemFilter, apiErrorOf } from './problem.filter.js';
export { toApiError } from './http-error.js';
export { databaseError, isDatabaseUnavailable } from './database-error.js';
export { hookOf } from './hook.js';
export {
  actAs,
  currentActor,
  currentReader,
  currentRequest,
  readAs,
  runForActor,
  runForReader,
  runUntilAborted,
} from './request-context.js';
export { wordsOf } from './error-words.js';
export type { Actor, Reader, RequestContext } from './request-context.js';
export { injectTrace, runInCallersTrace, runInTrace, withSpan } from './tracing.js';
export { DatabaseModule } from './database.module.js';
export { Database } from './database.js';
export { connectionOptions } from './connection-options.js';
export type { DatabaseLimits, DatabaseOptions } from './database-options.js';
export { migrateCommand, migrateDatabase } from './migrate.js';
export { keepMilliseconds } from './millisecond-instants.js';
export { MonthlyPartitions } from './monthly-partitions.js';
export { RowMapping } from './row-mapping.js';
export type { RowClass } from './row-mapping.js';
export { Sql, preparedQuery, preparedStatement } from './sql.js';
export type { PreparedStatement, Statement } from './sql.js';
export { uuidv7 } from './uuid.js';
export { DAY_MS, TIME_ZONES, instantOf, isTimeZone, localTime, offsetOf } from './local-time.js';
export { providersOf } from './providers-of.js';
export { SiteTimeZones, prepareDates, runInTimeZone, startOfDate } from './site-dates.js';
export { OutboundConnections, OutboundNetwork, permittedAddress, sendOutbound } from './outbound-request.js';
export { isPublicAddress } from './public-address.policy.js';
export { SigningKey, sealedSql } from './signing-key.js';
export { Html, html } from './html.js';
export { acceptsCoding } from './accepts-coding.js';
export { wantsPage } from './wants-page.js';
export { writeDocuments } from './write-documents.js';
export { MAX_JSON_DEPTH, acceptJson, isTooDeep } from './json-body.js';
export { isPhotoType, withoutMetadata } from './image-metadata.policy.js';
export { InFlight } from './in-flight.js';
export { SingleFlight } from './single-flight.js';
export { PeriodicTask, withoutTasks } from './periodic-task.js';
