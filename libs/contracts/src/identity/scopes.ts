/**
 * The scope catalog: every scope of the contract, with its audience and the description for the consent page. Source:
 * the service contract, section 5 "Scopes"; RFC 6749 §3.3 for the syntax.
 */

/** Holders of a scope: any application (`identity`), an operator's application, or a member's. */
export type ScopeAudience = 'identity' | 'operator' | 'member';

export interface ScopeDefinition {
  readonly audience: ScopeAudience;
  /** Reading and writing are shown apart on the consent page. Identity scopes count as reading. */
  readonly access: 'read' | 'write';
  /** Consent pages warn about `sensitive` scopes only: those that touch people, roles or money, or delete. */
  readonly weight: 'view' | 'edit' | 'sensitive';
  /** One short sentence for people that completes "This application will be able to …". */
  readonly words: string;
}

const identity = (words: string): ScopeDefinition => ({ audience: 'identity', access: 'read', weight: 'view', words });
const read = (words: string): ScopeDefinition => ({ audience: 'operator', access: 'read', weight: 'view', words });
const write = (words: string): ScopeDefinition => ({ audience: 'operator', access: 'write', weight: 'edit', words });
const sensitive = (words: string): ScopeDefinition => ({ ...write(words), weight: 'sensitive' });

export const SCOPES = {
  openid: identity('confirm who you are, and your roles at this site'),
  profile: identity('see your name and picture'),
  email: identity('see your e-mail address'),
  'courses:read': read('see courses, drafts included, and consulting services with their slots'),
  'courses:write': write('create, change and publish courses, and consulting services with their slots'),
  'students:read': read('see students, their enrollments, and the consulting sessions that they bought and booked'),
  'students:write': sensitive(
    'add and change students, enroll them and end enrollments, grant consulting sessions and book them',
  ),
  'members:read': read('see everybody with a role at this site'),
  'members:write': sensitive('invite, change, suspend and remove people, and set their roles'),
  'analytics:read': read('see figures about sales, courses and attendance'),
  'curriculum:read': read('see sections, lectures and their attachments'),
  'curriculum:write': write('change sections, lectures and their attachments'),
  'orders:read': read('see orders and payments'),
  'school:read': read('see the settings of this site'),
  'school:write': write('change the settings of this site'),
  'appearance:read': read('see the theme, navigation and logo'),
  'appearance:write': write('change the theme, navigation and logo'),
  'events:read': read('see events and registrations'),
  'events:write': sensitive('create and change events, and register people'),
  'membership_plans:read': read('see membership plans'),
  'membership_plans:write': sensitive('create and change membership plans'),
  'coupons:read': read('see coupons and their use'),
  'coupons:write': sensitive('create, change and deactivate coupons'),
  'posts:read': read('see posts, drafts included, and announcements'),
  'posts:write': sensitive('write, publish and delete posts, and send announcements to members'),
  'subscriptions:read': read('see subscriptions'),
  'subscriptions:write': sensitive('create, change and cancel subscriptions'),
  'digital_products:read': read('see digital products and who bought them'),
  'digital_products:write': sensitive('create and change digital products, and grant access to them'),
  'comments:read': read('see comments'),
  'lecturers:read': read('see lecturers'),
  'lecturers:write': sensitive('add, change and remove lecturers'),
  'storage:write': write('upload files'),
  'forms:read': read('see forms and what was submitted'),
  'pages:read': read('see pages and their deployments'),
  'pages:write': sensitive('create, deploy and delete pages'),
  'account:read': {
    audience: 'member',
    access: 'read',
    weight: 'view',
    // `viewer.schools` shows the other sites, too.
    words:
      'see your name, e-mail address, courses, purchases and notifications at this site, and each site of this service where you have a role, with your roles there',
  },
  'account:write': {
    audience: 'member',
    access: 'write',
    weight: 'edit',
    words: 'mark your notifications as read and change what you are notified about',
  },
} as const satisfies Record<string, ScopeDefinition>;

export type Scope = keyof typeof SCOPES;

type ResourceOf<Name> = Name extends `${infer Resource}:${string}` ? Resource : never;
/** The part of a scope before the colon. */
export type ScopeResource = ResourceOf<Scope>;

/** Titles of the resources for people. A consent page has one row for each. */
export const SCOPE_RESOURCES: Readonly<Record<ScopeResource, string>> = {
  courses: 'Courses and consulting',
  students: 'Students',
  members: 'People and roles',
  analytics: 'Analytics',
  curriculum: 'Lessons and attachments',
  orders: 'Orders and payments',
  school: 'Site settings',
  appearance: 'Appearance',
  events: 'Events and registrations',
  membership_plans: 'Membership plans',
  coupons: 'Coupons',
  posts: 'Posts and announcements',
  subscriptions: 'Subscriptions',
  digital_products: 'Digital products',
  comments: 'Comments',
  lecturers: 'Lecturers',
  storage: 'Files',
  forms: 'Forms',
  pages: 'Pages',
  account: 'Your account',
};

/** All scopes, in the order of the contract. */
export const SCOPE_NAMES = Object.keys(SCOPES) as readonly Scope[];

const ofAudience = (audience: ScopeAudience): readonly Scope[] =>
  SCOPE_NAMES.filter((name) => SCOPES[name].audience === audience);

export const IDENTITY_SCOPES = ofAudience('identity');
export const OPERATOR_SCOPES = ofAudience('operator');
export const MEMBER_SCOPES = ofAudience('member');

/**
 * Scopes in the protected-resource metadata (RFC 9728 `scopes_supported`). Clients request all advertised scopes, and
 * requests of self-registered clients would be refused if it contained `account:*` or writes.
 */
export const ADVERTISED_RESOURCE_SCOPES: readonly Scope[] = [
  ...IDENTITY_SCOPES,
  ...OPERATOR_SCOPES.filter((name) => SCOPES[name].access === 'read'),
];

export function isScope(value: string): value is Scope {
  return Object.hasOwn(SCOPES, value);
}

/** Splits a space-separated scope parameter (RFC 6749 §3.3). Empty members are dropped, the order is kept. */
export function splitScope(value: string): string[] {
  return value.split(' ').filter((part) => part !== '');
}

/** Returns the scope that reads the objects of a write scope: its read scope, or itself if none exists. */
export function readScopeOf(write: string): string {
  const read = write.replace(/:write$/, ':read');
  return isScope(read) ? read : write;
}
