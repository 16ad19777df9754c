import { SERVICES } from '@lyceum/contracts';
import type { Service } from './attacker.js';

/**
 * The permissions of each service in NATS, written by hand from the table "Who owns what" of the architecture.
 * Every cell that is not named is refused.
 */
export const STREAMS: Readonly<Record<string, { publish?: Service; read?: readonly Service[]; remove?: Service }>> = {
  // An owner erases personal data in its own events.
  IDENTITY: { publish: 'auth', read: ['auth', 'member-api'], remove: 'auth' },
  SCHOOL: { publish: 'admin-api', read: ['admin-api', 'member-api'], remove: 'admin-api' },
  LEARNER: { publish: 'member-api', read: ['member-api'], remove: 'member-api' },
  // A service reads and deletes its own dead letters.
  DEAD_LETTERS_auth: { publish: 'auth', read: ['auth'], remove: 'auth' },
  'DEAD_LETTERS_admin-api': { publish: 'admin-api', read: ['admin-api'], remove: 'admin-api' },
  'DEAD_LETTERS_member-api': { publish: 'member-api', read: ['member-api'], remove: 'member-api' },
};
/** A subject of each stream, and a subject in it that only this test uses. */
export const SUBJECTS: Readonly<Record<string, string>> = {
  IDENTITY: 'identity.matrix.made.v1',
  SCHOOL: 'school.matrix.made.v1',
  LEARNER: 'learner.matrix.made.v1',
  DEAD_LETTERS_auth: 'dead-letters.auth.matrix',
  'DEAD_LETTERS_admin-api': 'dead-letters.admin-api.matrix',
  'DEAD_LETTERS_member-api': 'dead-letters.member-api.matrix',
};
export const BUCKETS: Readonly<Record<string, { mirror: readonly Service[]; read: readonly Service[] }>> = {
  sites: { mirror: ['admin-api', 'member-api', 'mcp-gateway'], read: [...SERVICES] },
  'tool-catalogs': { mirror: ['mcp-gateway'], read: ['admin-api', 'member-api', 'mcp-gateway'] },
};
export const KEYS: readonly (readonly [key: string, writer: Service | undefined])[] = [
  ['sites.matrix', 'auth'],
  ['tool-catalogs.admin-api.matrix', 'admin-api'],
  ['tool-catalogs.member-api.matrix', 'member-api'],
  ['tool-catalogs.mcp-gateway.matrix', 'mcp-gateway'],
  ['tool-catalogs.auth.matrix', undefined],
  ['tool-catalogs.matrix', undefined],
];
/** Durable consumers and the one service that pulls from them. */
export const CONSUMERS: readonly (readonly [stream: string, consumer: string, reader: Service])[] = [
  ['SCHOOL', 'auth-students', 'auth'],
  ['SCHOOL', 'auth-appearances', 'auth'],
  ['SCHOOL', 'auth-schools', 'auth'],
  ['SCHOOL', 'auth-webhook-endpoints', 'auth'],
  ['IDENTITY', 'admin-api-roles', 'admin-api'],
  ['IDENTITY', 'admin-api-member-changes', 'admin-api'],
  ['SCHOOL', 'admin-api-changes', 'admin-api'],
  ['SCHOOL', 'admin-api-student-changes', 'admin-api'],
  ['IDENTITY', 'admin-api-clients', 'admin-api'],
  ['IDENTITY', 'admin-api-site-deletions', 'admin-api'],
  ['LEARNER', 'admin-api-announcement-deliveries', 'admin-api'],
  ['IDENTITY', 'member-api-people', 'member-api'],
  ['IDENTITY', 'member-api-roles', 'member-api'],
  ['IDENTITY', 'member-api-schools', 'member-api'],
  ['IDENTITY', 'member-api-site-deletions', 'member-api'],
  ...[
    'announcements',
    'comments',
    'consulting-bookings',
    'consulting-purchases',
    'consulting-services',
    'courses',
    'curricula',
    'digital-product-grants',
    'digital-products',
    'enrollments',
    'event-registrations',
    'events',
    'lecture-attachments',
    'posts',
    'progress',
    'reminders',
    'subscriptions',
    'texts',
  ].map((reader) => ['SCHOOL', `member-api-${reader}`, 'member-api'] as const),
];
/** Core subjects with their publishers and subscribers. */
export const CORE: readonly (readonly [
  subject: string,
  publishers: readonly Service[],
  listeners: readonly Service[],
])[] = [
  ['tools.admin-api.tool.matrix.0', ['mcp-gateway'], ['admin-api']],
  ['tools.member-api.tool.matrix.0', ['mcp-gateway'], ['member-api']],
  ['tools.mcp-gateway.tool.matrix.0', ['mcp-gateway'], ['mcp-gateway']],
  ['tools.admin-api.cancel', ['mcp-gateway'], ['admin-api']],
  ['tools.auth.tool.matrix.0', [], ['auth']],
  ['requests.auth.describe_person.v1', ['auth', 'mcp-gateway'], ['auth']],
  // Members belong to auth, and only the operator API changes them.
  ...['invite_member', 'change_member', 'set_member_roles', 'suspend_member', 'reinstate_member', 'remove_member'].map(
    (name) => [`requests.auth.${name}.v1`, ['auth', 'admin-api'], ['auth']] as const,
  ),
  ['requests.auth.resend_student_invitation.v1', ['auth', 'admin-api'], ['auth']],
  ['requests.auth.matrix.v1', ['auth'], ['auth']],
  ['requests.admin-api.list_activity.v1', ['auth', 'admin-api'], ['admin-api']],
  ['requests.admin-api.link_file.v1', ['admin-api', 'member-api'], ['admin-api']],
  ['requests.admin-api.switch_mcp_connections.v1', ['auth', 'admin-api'], ['admin-api']],
  ...['get_site_settings', 'change_school', 'change_appearance', 'store_picture'].map(
    (name) => [`requests.admin-api.${name}.v1`, ['auth', 'admin-api'], ['admin-api']] as const,
  ),
  ['requests.admin-api.matrix.v1', ['admin-api'], ['admin-api']],
  ['requests.member-api.matrix.v1', ['member-api'], ['member-api']],
  ['requests.mcp-gateway.matrix.v1', ['mcp-gateway'], ['mcp-gateway']],
  ['commands.school.progress.record.v1', ['storefront'], ['admin-api']],
  ['commands.school.review.post.v1', ['storefront'], ['admin-api']],
  ...['make', 'move', 'cancel'].map((verb): readonly [string, readonly Service[], readonly Service[]] => [
    `commands.school.booking.${verb}.v1`,
    ['storefront'],
    ['admin-api'],
  ]),
  ...['record', 'refund'].map((verb): readonly [string, readonly Service[], readonly Service[]] => [
    `commands.school.order.${verb}.v1`,
    ['storefront'],
    ['admin-api'],
  ]),
  ...['comment.post', 'comment.moderate', 'form.define', 'form.submit'].map(
    (name): readonly [string, readonly Service[], readonly Service[]] => [
      `commands.school.${name}.v1`,
      ['storefront'],
      ['admin-api'],
    ],
  ),
  ...['make', 'cancel'].map((verb): readonly [string, readonly Service[], readonly Service[]] => [
    `commands.school.registration.${verb}.v1`,
    ['storefront'],
    ['admin-api'],
  ]),
  ['commands.school.cancel', [], ['admin-api']],
  ['commands.school.matrix.v1', [], []],
  ['broadcast.identity.matrix.v1', ['auth'], []],
  ['broadcast.identity.revocation.v1', ['auth'], [...SERVICES]],
  ['broadcast.mcp-gateway.matrix.v1', [], []],
  ['shared-values.auth.matrix', [], []],
  ['_INBOX_auth.matrix', ['auth'], ['auth']],
  ['_INBOX_admin-api.matrix', ['admin-api'], ['admin-api']],
  ['_INBOX_member-api.matrix', ['member-api'], ['member-api']],
  ['_INBOX_mcp-gateway.matrix', ['mcp-gateway'], ['mcp-gateway']],
  ['_INBOX_storefront.matrix', [], ['storefront']],
  ['_R_.matrix', [...SERVICES], []],
  ['$SYS.REQ.SERVER.PING', [], []],
  ['$JS.EVENT.ADVISORY.matrix', [], []],
];
