export {
  ADVERTISED_RESOURCE_SCOPES,
  IDENTITY_SCOPES,
  MEMBER_SCOPES,
  OPERATOR_SCOPES,
  SCOPES,
  SCOPE_NAMES,
  isScope,
  splitScope,
} from './scopes.js';
export type { Scope, ScopeAudience, ScopeDefinition } from './scopes.js';
export { ROLES, holdsScopes, isMember, orderRoles, principalSchema, roleSchema } from './principal.js';
export type { MemberState, Principal, Role } from './principal.js';
export { instantSchema } from './instant.js';
export { CORNERS, FONT_FAMILIES, NO_THEME } from './theme.js';
export type { Theme } from './theme.js';
export {
  DEFAULT_COLORS,
  TEXT_CONTRAST,
  channelsOf,
  colorsOf,
  contrastRatio,
  luminance,
  unreadablePairs,
  wholeTheme,
} from './theme.policy.js';
export type { Colors } from './theme.policy.js';
export { SITES_BUCKET, siteSchema } from './sites.js';
export type { Site } from './sites.js';
export {
  SERVICES,
  bucketChanges,
  bucketStream,
  consumerName,
  deadLetterStream,
  deadLetterSubject,
  inboxPrefix,
} from './services.js';
export type { ServiceName } from './services.js';
export { eventsOf, isCaller, ownerOf, readersOf, streamKeeping, streamOf } from './duties.js';
export type { StreamName } from './duties.js';
export { READING_SERVICES, TOPOLOGY, TOPOLOGY_LIMITS } from './topology.js';
export type { ConsumerDeclaration, StreamDeclaration, Topology } from './topology.js';
export { HUB_API, HUB_USERS, natsAccounts, natsPermissions } from './nats-accounts.js';
export type { NatsUser } from './nats-accounts.js';
export { REVOCATION_SUBJECT, revocationSchema } from './revocations.js';
export type { Revocation } from './revocations.js';
export {
  defineEntityEvents,
  SYSTEM_ACTOR,
  eventEnvelopeSchema,
  eventType,
  republicationSchema,
  republicationSubject,
} from './events/event.js';
export type { DomainEvent, EntityEvents, EventActor } from './events/event.js';
export { announcementEvents } from './events/announcement.js';
export { appearanceEvents } from './events/appearance.js';
export { commentEvents, lectureEvents, postEvents } from './events/content.js';
export { clientEvents, personEvents, roleEvents, siteEvents } from './events/identity.js';
export { notificationSubscriptionEvents } from './events/learner.js';
export { subscriptionEvents } from './events/membership.js';
export { courseEvents, enrollmentEvents, studentEvents } from './events/school.js';
export { digitalProductEvents, digitalProductGrantEvents } from './events/digital-products.js';
export { consultingMeetingEvents, consultingPurchaseEvents, consultingServiceEvents } from './events/consulting.js';
export { eventRegistrationEvents, learningEventEvents } from './events/learning-events.js';
export { progressEvents } from './events/progress.js';
export {
  MAX_PROGRESS,
  REQUEST_HEADERS,
  cancelSubject,
  defineRequest,
  progressSchema,
  replySchema,
} from './requests/request.js';
export type { Progress, Reply, RequestDefinition } from './requests/request.js';
export { describePerson } from './requests/identity.js';
export {
  TOOLS_BUCKET,
  completionInputSchema,
  completionName,
  completionOutputSchema,
  capabilitySubject,
  promptDescriptionSchema,
  resourceDescriptionSchema,
  toolCallSchema,
  toolCatalogueSchema,
  toolDescriptionSchema,
  toolLeaseSchema,
  toolsEntrySchema,
} from './tools.js';
export type {
  CompletionInput,
  CompletionOutput,
  CapabilityKind,
  PromptDescription,
  ResourceDescription,
  ScopesByArgument,
  ToolCatalogue,
  ToolDescription,
  ToolLease,
  ToolsEntry,
} from './tools.js';
export { contentOutputSchema, inputRequiredSchema, promptOutputSchema } from './tool-content.js';
export type { CallingClient, ContentOutput, InputRequired, PromptOutput } from './tool-content.js';
export {
  foreignAudience,
  holdsScopesOfSomeCall,
  isUnknownChoice,
  scopesOfCall,
  toolAccess,
} from './tool-access.policy.js';
export type { ScopedTool } from './tool-access.policy.js';
