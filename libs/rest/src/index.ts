export { MAX_BULK, bulkBody, bulkResults, toolBulkResults } from './bulk/bulk.js';
export type { BulkResult } from './bulk/bulk.js';
export { BulkWrites } from './bulk/bulk-writes.js';
export { changeInSets, createInSets, eachInSavepoint } from './bulk/change-sets.js';
export { changedColumns } from './merge-patch/changed-columns.js';
export { cleanBeginning, cutDescription, html, shownDescription, truncated } from './html/description.policy.js';
export { IdempotencySteps1795987200063 } from './idempotency/idempotency-steps.migration.js';
export { Writes1763683200001 } from './idempotency/idempotency.migration.js';
export { IdempotencyPurge } from './idempotency/idempotency.purge.js';
export { IdempotentCommands } from './idempotency/idempotent-commands.js';
export { IdempotentWrites } from './idempotency/idempotent-writes.js';
export { hasStepped, outside, withStep } from './idempotency/outside.js';
export type { Write } from './idempotency/write.js';
export { WriteResponse } from './idempotency/write-response.js';
export type { Written } from './idempotency/write-response.js';
export { BODY_LIMIT } from './limits/body-limit.js';
export { ItemQuotas } from './limits/item-quotas.js';
export { buildDocument } from './openapi/document.js';
export { BASE_URL, problemOf } from './openapi/problem-example.js';
export type { Surface } from './openapi/document.js';
export type { Json } from './openapi/schemas.js';
export type { Webhook } from './openapi/webhooks.js';
export {
  asBigint,
  asInstant,
  asJson,
  asList,
  asNumber,
  asPlain,
  asText,
  asValues,
  asWord,
  objectText,
} from './lines/column-text.js';
export { lineSql } from './lines/row-line.js';
export type { LineColumns } from './lines/row-line.js';
export { Cursors } from './paging/cursor.js';
export type { CursorContext, Position } from './paging/cursor.js';
export { Where, keyStatement, listStatement, unionStatement } from './paging/keyset.js';
export { LINE, fieldsParameter, listQuery, parameterOf, rangeFilters, searchText } from './paging/list-query.js';
export type { ListQuery, ListedLine } from './paging/list-query.js';
export { metadataFilter } from './paging/metadata-filter.js';
export { Search1795987200030 } from './paging/search.migration.js';
export { searchable } from './paging/listing.js';
export type { Condition, Listing } from './paging/listing.js';
export { pageOf } from './paging/page.js';
export { listBelow } from './paging/list-below.js';
export type { Page, PageSchema } from './paging/page.js';
export { Pager } from './paging/pager.js';
export { isAmong } from './paging/several.js';
export type { OneOrMore } from './paging/several.js';
export { toolItems, toolListQuery } from './paging/tool-page.js';
export { isFresh, requireIfMatch, requirePreconditions, rowTag } from './responses/etag.policy.js';
export type { Preconditions } from './responses/etag.policy.js';
export { ApiResponse, PERSONAL, REVALIDATED } from './responses/response.js';
export { listResponse, objectResponse } from './responses/responses.js';
export { ShownOnce } from './responses/shown-once.js';
export { useRest } from './rest.hooks.js';
export { RestEdgeModule, RestModule } from './rest.module.js';
export { withDeprecation } from './routes/deprecation.js';
export { servedRoutes } from './routes/serve-routes.js';
export { Routes, ServedRoutes, requireNotice, routesOf } from './routes/route.js';
export type { OperationDescription, Route, RouteRequest } from './routes/route.js';
export { ADDITIVE, DESTRUCTIVE, IDEMPOTENT, OPEN_ENDED, READS } from './tool-calls/hints.js';
export { operatorOf } from './tool-calls/operator.js';
export {
  dryRun,
  requireToolMatch,
  toolEtag,
  toolIfMatch,
  toolOptionalMatch,
  toolWrite,
  toolWriteOf,
  writtenOf,
} from './tool-calls/tool-write.js';
export { copyOf, withLazy } from './validation/lazy.js';
export { patchOf, withDescription, withoutLimits } from './validation/derived-schemas.js';
export { entityId, entityIdOf } from './validation/entity-id.js';
export {
  INSTANT_OR_DATE,
  email,
  emptyBody,
  externalId,
  httpsUrl,
  idIn,
  instant,
  instantOut,
  instantText,
  isWritable,
  iso,
  locale,
  metadata,
  multiline,
  name,
  optionalBody,
  phoneNumber,
  slug,
  tag,
  tags,
  text,
  timezone,
} from './validation/fields.js';
export { amount, currency, money, moneyIn } from './validation/money.js';
export type { Money } from './validation/money.js';
export { refuseArgument, refuseBody } from './validation/refusal.policy.js';
export { upsertBody } from './validation/upsert-body.js';
export { takenError, violates } from './validation/violation.js';
