export { announcementDeliveryEvents } from './announcement-deliveries.js';
export { notificationSubscriptionEvents } from './notification-subscriptions.js';
export { MEMBER_DATA_SECTIONS, exportMemberData } from './personal-data.js';
export type { MemberDataSection } from './personal-data.js';
