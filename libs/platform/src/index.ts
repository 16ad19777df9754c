export { readConfiguration } from './configuration/configuration.js';
export {
  databaseEnvironment,
  integer,
  secretKeys,
  secretTexts,
  serviceEnvironment,
} from './configuration/environment.js';
export type { DatabaseConfiguration, ServiceConfiguration } from './configuration/environment.js';
export { runInContext, startService } from './service/service.js';
export type { Command, CreateApplication, RunningService, ServiceDefinition } from './service/service.js';
export { runService } from './service/run-service.js';
export { UsageError } from './configuration/usage-error.js';
export { RunsInBackground, ServesRequests } from './process/roles.js';
export { HealthRegistry } from './telemetry/health.js';
export { createLogger } from './process/logger.js';
export { MetricsRegistry } from './telemetry/metrics.js';
export { Lifecycle } from './process/lifecycle.js';
export { PlatformModule, createPlatform } from './service/platform.module.js';
export { setBaseUrl } from './http/base-url.js';
export { beginningOf } from './values/beginning-of.js';
export { BoundedCache } from './values/bounded-cache.js';
export { csvText } from './values/csv-text.js';
export { decrypt, encrypt } from './values/cipher.js';
export type { SecretKeys } from './values/cipher.js';
export { isObject } from './values/is-object.js';
export {
  bodyErrors,
  fieldErrorSchema,
  jsonPointer,
  parameterErrors,
  receivedFieldErrors,
} from './http/field-errors.js';
export { apiErrorOf } from './http/problem.filter.js';
export { toApiError } from './http/http-error.js';
export { databaseError, isDatabaseUnavailable } from './database/database-error.js';
export { hookOf } from './http/hook.js';
export { queryOf } from './http/query-of.js';
export { hasOneHost, hostsOf, isLoopbackHost, normalizeHost } from './http/host.js';
export {
  actAs,
  currentActor,
  currentReader,
  currentRequest,
  readAs,
  runForActor,
  runForReader,
  runUntilAborted,
} from './telemetry/request-context.js';
export { errorMessage } from './telemetry/error-message.js';
export type { Actor, Reader, RequestContext } from './telemetry/request-context.js';
export { injectTrace, runInCallersTrace, runInTrace, withSpan } from './telemetry/tracing.js';
export { deleteBatch } from './database/batch-deletion.js';
export { DatabaseModule } from './database/database.module.js';
export { Database } from './database/database.js';
export { connectionOptions } from './configuration/connection-options.js';
export { NO_LIMITS } from './database/database-options.js';
export type { DatabaseOptions } from './database/database-options.js';
export { migrateCommand, migrateDatabase } from './service/migrate.js';
export { MonthlyPartitions } from './database/monthly-partitions.js';
export { RowMapping } from './database/row-mapping.js';
export type { RowClass } from './database/row-mapping.js';
export { Sql, preparedQuery, preparedStatement, together } from './database/sql.js';
export type { PreparedStatement, Statement } from './database/sql.js';
export { uuidv7 } from './telemetry/uuid.js';
export {
  DAY_MS,
  SHORT_TIME_ZONES,
  TIME_ZONES,
  instantOf,
  isTimeZone,
  localTime,
  offsetOf,
  timeZoneName,
} from './values/local-time.js';
export { isVisibleLine, replaceInvisible } from './values/visible-text.js';
export { providersOf } from './process/providers-of.js';
export { SiteTimeZones, prepareDates, runInTimeZone, startOfDate } from './values/site-dates.js';
export {
  HostNotPermitted,
  OutboundConnections,
  OutboundNetwork,
  permittedAddress,
  sendOutbound,
} from './http/outbound-request.js';
export { isPublicAddress } from './http/public-address.policy.js';
export { SigningKey, sealedSql } from './values/signing-key.js';
export { Html, html } from './http/html.js';
export { acceptsCoding } from './http/accepts-coding.js';
export { wantsPage } from './http/wants-page.js';
export { readJsonFile } from './service/read-json-file.js';
export { writeDocuments } from './service/write-documents.js';
export { MAX_JSON_DEPTH, acceptJson, isTooDeep } from './http/json-body.js';
export { isPhotoType, withoutMetadata } from './values/image-metadata.policy.js';
export { InFlight } from './process/in-flight.js';
export { SingleFlight } from './process/single-flight.js';
export { PeriodicTask, withTaskSettings } from './process/periodic-task.js';
export { PeriodicWork } from './process/periodic-work.js';
