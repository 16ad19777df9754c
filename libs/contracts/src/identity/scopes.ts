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
  /** One short sentence for people that completes "This application will be able to …". */
  readonly words: string;
}

const identity = (words: string): ScopeDefinition => ({ audience: 'identity', access: 'read', words });
const read = (words: string): ScopeDefinition => ({ audience: 'operator', access: 'read', words });
const write = (words: string): ScopeDefinition => ({ audience: 'operator', access: 'write', words });

export const SCOPES = {
  openid: identity('confirm who you are, and your roles at this site'),
  profile: identity('see your name and picture'),
  email: identity('see your e-mail address'),
  'courses:read': read('see courses, drafts included'),
  'courses:write': write('create, change and publish courses'),
  'students:read': read('see students and their enrollments'),
  'students:write': write('add and change students, enroll them and end enrollments'),
  'members:read': read('see everybody with a role at this site'),
  'members:write': write('invite, change, suspend and remove people, and set their roles'),
  'analytics:read': read('see figures about sales, courses and attendance'),
  'curriculum:read': read('see sections, lectures and their attachments'),
  'curriculum:write': write('change sections, lectures and their attachments'),
  'orders:read': read('see orders and payments'),
  'school:read': read('see the settings of this site'),
  'school:write': write('change the settings of this site'),
  'appearance:read': read('see the theme, navigation and logo'),
  'appearance:write': write('change the theme, navigation and logo'),
  'events:read': read('see events and registrations'),
  'events:write': write('create and change events, and register people'),
  'membership_plans:read': read('see membership plans'),
  'membership_plans:write': write('create and change membership plans'),
  'coupons:read': read('see coupons and their use'),
  'coupons:write': write('create, change and deactivate coupons'),
  'posts:read': read('see posts, drafts included'),
  'posts:write': write('write, publish and delete posts'),
  'subscriptions:read': read('see subscriptions'),
  'subscriptions:write': write('create, change and cancel subscriptions'),
  'digital_products:read': read('see digital products and who bought them'),
  'digital_products:write': write('create and change digital products, and grant access to them'),
  'comments:read': read('see comments'),
  'lecturers:read': read('see lecturers'),
  'lecturers:write': write('add, change and remove lecturers'),
  'storage:write': write('upload files'),
  'forms:read': read('see forms and what was submitted'),
  'pages:read': read('see pages and their deployments'),
  'pages:write': write('create, deploy and delete pages'),
  'account:read': {
    audience: 'member',
    access: 'read',
    words: 'see your account at this site: your courses and purchases, and your notifications',
  },
  'account:write': {
    audience: 'member',
    access: 'write',
    words: 'mark your notifications as read and change what you are notified about',
  },
} as const satisfies Record<string, ScopeDefinition>;

export type Scope = keyof typeof SCOPES;

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
