export { notificationSubscriptionEvents } from './notification-subscriptions.js';
export { MEMBER_DATA_SECTIONS, exportMemberData } from './personal-data.js';
export type { MemberDataSection } from './personal-data.js';
export { GLOBAL_ID_PREFIXES, SHARED_TYPES, isSharedIdPattern, sharedId } from './global-ids.js';
export type { GlobalIdType, SharedType } from './global-ids.js';
