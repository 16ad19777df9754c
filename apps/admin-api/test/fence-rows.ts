/** `hidden`: not_found, or left out of a list. */
export type Verdict = 'allowed' | 'forbidden' | 'hidden';

export interface Row {
  /** Reads of own objects, by a teacher with all scopes. */
  readonly read?: Verdict;
  readonly write?: Verdict;
  readonly create?: Verdict;
  /** A patch of the members that its case names, where they are not for teachers. */
  readonly patch?: Verdict;
  readonly delete?: Verdict;
  /** A creation below a foreign parent, where the service looks for the parent before the role. */
  readonly createBelow?: Verdict;
  /**
   * `same`: a teacher does with all objects of the site what the row says. `private`: callers of any role see what they
   * created, and nothing else.
   */
  readonly foreign: 'hidden' | 'same' | 'private';
  /** A creation names no other object, so no part of it is foreign. */
  readonly standsAlone?: boolean;
}

/** No fence and no role: auth gives a teacher no scope that opens the collection. */
const SCOPES_ALONE: Row = { read: 'allowed', write: 'allowed', create: 'allowed', foreign: 'same' };

/** The rights of a teacher. Owners and admins may do everything with every object. */
export const FENCE: Readonly<Record<string, Row>> = {
  courses: { read: 'allowed', write: 'allowed', create: 'forbidden', foreign: 'hidden' },
  categories: { read: 'allowed', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  'courses/plans': {
    read: 'allowed',
    write: 'forbidden',
    create: 'forbidden',
    createBelow: 'hidden',
    foreign: 'hidden',
  },
  course_plans: {
    read: 'allowed',
    write: 'forbidden',
    create: 'forbidden',
    createBelow: 'hidden',
    foreign: 'hidden',
  },
  'courses/curriculum': { read: 'allowed', write: 'allowed', foreign: 'hidden' },
  sections: { read: 'allowed', write: 'allowed', create: 'allowed', foreign: 'hidden' },
  lectures: { read: 'allowed', write: 'allowed', create: 'allowed', foreign: 'hidden' },
  students: { read: 'allowed', write: 'allowed', create: 'forbidden', delete: 'forbidden', foreign: 'hidden' },
  'students/enrollments': { read: 'allowed', write: 'allowed', create: 'forbidden', foreign: 'hidden' },
  'courses/reviews': { read: 'allowed', foreign: 'hidden' },
  comments: { read: 'allowed', foreign: 'hidden' },
  'comments/replies': { read: 'allowed', foreign: 'hidden' },
  'courses/enrollments': { read: 'allowed', foreign: 'hidden' },
  'students/progress': { read: 'allowed', write: 'allowed', create: 'allowed', foreign: 'hidden' },
  enrollments: { read: 'allowed', write: 'allowed', create: 'forbidden', foreign: 'hidden' },
  lecturers: { read: 'allowed', write: 'allowed', create: 'forbidden', delete: 'forbidden', foreign: 'hidden' },
  'lecturers/courses': { read: 'allowed', foreign: 'hidden' },
  school: { read: 'allowed', write: 'forbidden', foreign: 'same' },
  activity: { read: 'forbidden', foreign: 'same' },
  members: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  coupons: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  'coupons/redemptions': { read: 'forbidden', foreign: 'same' },
  orders: { read: 'forbidden', foreign: 'same' },
  'members/purchases': { read: 'forbidden', foreign: 'same' },
  events: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  'events/tickets': { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  'events/registrations': { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  consulting_services: {
    read: 'allowed',
    write: 'allowed',
    create: 'forbidden',
    patch: 'forbidden',
    delete: 'forbidden',
    foreign: 'hidden',
  },
  // A new slot of the case has no lecturer, and a teacher makes own slots only.
  'consulting_services/slots': {
    read: 'allowed',
    write: 'allowed',
    create: 'forbidden',
    createBelow: 'hidden',
    foreign: 'hidden',
  },
  'consulting_services/purchases': {
    read: 'allowed',
    write: 'forbidden',
    create: 'forbidden',
    createBelow: 'hidden',
    foreign: 'hidden',
  },
  'slots/bookings': { read: 'allowed', write: 'allowed', create: 'allowed', foreign: 'hidden' },
  exports: { read: 'allowed', write: 'allowed', create: 'allowed', foreign: 'hidden', standsAlone: true },
  forms: { read: 'forbidden', foreign: 'same' },
  'forms/submissions': { read: 'forbidden', foreign: 'same' },
  imports: { read: 'hidden', write: 'hidden', create: 'forbidden', foreign: 'same' },
  subscriptions: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  uploads: { read: 'allowed', write: 'allowed', create: 'allowed', foreign: 'private' },
  digital_products: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  'digital_products/purchases': { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  membership_plans: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  webhook_endpoints: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  webhook_deliveries: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  posts: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  announcements: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  pages: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  'pages/deployments': { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  course_reviews: { read: 'allowed', foreign: 'hidden' },
  coupon_redemptions: { read: 'forbidden', foreign: 'same' },
  // At paths without a parent, where a creation names it.
  slots: { read: 'allowed', write: 'allowed', create: 'forbidden', createBelow: 'hidden', foreign: 'hidden' },
  consulting_purchases: {
    read: 'allowed',
    write: 'forbidden',
    create: 'forbidden',
    createBelow: 'hidden',
    foreign: 'hidden',
  },
  consulting_bookings: { read: 'allowed', write: 'allowed', create: 'allowed', foreign: 'hidden' },
  digital_product_purchases: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  event_registrations: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  event_tickets: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  form_submissions: { read: 'forbidden', foreign: 'same' },
  page_deployments: { read: 'forbidden', write: 'forbidden', create: 'forbidden', foreign: 'same' },
  progress: { read: 'allowed', create: 'allowed', foreign: 'hidden' },
  appearance: SCOPES_ALONE,
  'appearance/revisions': SCOPES_ALONE,
};
