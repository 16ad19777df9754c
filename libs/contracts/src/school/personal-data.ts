import { personalDataRequest } from '../platform/personal-data.js';

/** The records of admin-api about a person, without those that member-api has too. */
export const SCHOOL_DATA_SECTIONS = [
  'student',
  'orders',
  'order_lines',
  'order_refunds',
  'coupon_redemptions',
  'subscriptions',
  'course_reviews',
  'comments',
  'form_submissions',
] as const;
export type SchoolDataSection = (typeof SCHOOL_DATA_SECTIONS)[number];

export const exportSchoolData = personalDataRequest('admin-api', 'export_school_data', SCHOOL_DATA_SECTIONS);
