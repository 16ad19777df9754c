/** The sums of the rollups, by the columns that have them. */
export const SALES_SUMS = [
  'orders_count',
  'gross_minor',
  'discount_minor',
  'tax_minor',
  'refunds_count',
  'refunded_minor',
] as const;

export const ENROLLMENT_SUMS = ['enrolled_count', 'started_count', 'completed_count'] as const;

export const MEMBERSHIP_SUMS = ['started_count', 'started_minor', 'ended_count', 'ended_minor'] as const;

export const ATTENDANCE_SUMS = [
  'events_count',
  'registered_count',
  'attended_count',
  'missed_count',
  'waitlisted_count',
  'canceled_count',
] as const;
