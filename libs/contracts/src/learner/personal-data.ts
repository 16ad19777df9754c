import { personalDataRequest } from '../platform/personal-data.js';

/** The records of member-api about a person, by the names that a download of the own data gives them. */
export const MEMBER_DATA_SECTIONS = [
  'profile',
  'enrollments',
  'lecture_progress',
  'playbacks',
  'digital_product_grants',
  'consulting_purchases',
  'consulting_bookings',
  'event_registrations',
  'notifications',
  'notification_subscriptions',
  'mails',
] as const;
export type MemberDataSection = (typeof MEMBER_DATA_SECTIONS)[number];

export const exportMemberData = personalDataRequest('member-api', 'export_member_data', MEMBER_DATA_SECTIONS);
