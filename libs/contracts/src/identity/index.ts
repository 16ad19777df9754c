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
export { SITES_BUCKET, siteSchema } from './sites.js';
export type { Site } from './sites.js';
export { REVOCATION_SUBJECT, revocationSchema } from './revocations.js';
export type { Revocation } from './revocations.js';
export { clientEvents, personEvents, roleEvents, siteEvents } from './events.js';
export { describePerson } from './requests.js';
