export {
  ADVERTISED_RESOURCE_SCOPES,
  IDENTITY_SCOPES,
  MEMBER_SCOPES,
  OPERATOR_SCOPES,
  SCOPES,
  SCOPE_NAMES,
  SCOPE_RESOURCES,
  isScope,
  readScopeOf,
  splitScope,
} from './scopes.js';
export type { Scope, ScopeAudience, ScopeDefinition, ScopeResource } from './scopes.js';
export { SITES_BUCKET, siteSchema } from './sites.js';
export type { Site } from './sites.js';
export { REVOCATION_SUBJECT, revocationSchema } from './revocations.js';
export type { Revocation } from './revocations.js';
export { clientEvents, personEvents, roleEvents, siteEvents } from './events.js';
export { describePerson, resendStudentInvitation } from './requests.js';
export {
  ERASED_NAME,
  GRANTED_ROLES,
  MEMBER_REQUESTS,
  changeMember,
  erasedEmail,
  inviteMember,
  isErasedEmail,
  reinstateMember,
  removeMember,
  setMemberRoles,
  suspendMember,
} from './members.js';
export type { ChangedMembership, Membership } from './members.js';
