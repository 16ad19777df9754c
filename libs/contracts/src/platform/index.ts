export {
  ROLES,
  holdsScopes,
  isAdministrator,
  isMember,
  isTeacher,
  orderRoles,
  TEACHING_ROLES,
  memberStateSchema,
  principalSchema,
  roleSchema,
} from './principal.js';
export type { MemberState, OfSite, Principal, Role } from './principal.js';
export { instantSchema } from './instant.js';
export {
  PROGRAMS,
  SERVICES,
  SHARED_VALUES_STREAM,
  bucketChanges,
  bucketStream,
  consumerName,
  deadLetterStream,
  deadLetterSubject,
  inboxPrefix,
  sharedValueSubject,
} from './services.js';
export type { ProgramName, ServiceName } from './services.js';
export {
  defineEntityEvents,
  SYSTEM_ACTOR,
  eventEnvelopeSchema,
  eventType,
  republicationSchema,
  republicationSubject,
} from './event.js';
export type { DomainEvent, EntityEvents, EventActor } from './event.js';
export { isNewerState } from './state-version.js';
export type { StateVersion } from './state-version.js';
export { MAX_PROGRESS, REQUEST_HEADERS, cancelSubject, defineRequest, progressSchema, replySchema } from './request.js';
export type { Progress, Reply, RequestDefinition } from './request.js';
export { COMMAND_ERROR_CODES, commandReplySchema, defineCommand } from './command.js';
export type { CommandDefinition } from './command.js';
export { PERSONAL_DATA_PAGE } from './personal-data.js';
export { UUID_PATTERN, isUuid } from './uuid.js';
export { GLOBAL_ID_PREFIXES, SHARED_TYPES, isSharedIdPattern, sharedId } from './global-ids.js';
export type { GlobalIdType, SharedType } from './global-ids.js';
