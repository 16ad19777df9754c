import { activityPage } from '#src/admin-area/activity.page.js';
import { overviewPage } from '#src/admin-area/admin.page.js';
import { applicationFormPage, editApplicationPage, newApplicationPage } from '#src/admin-area/application.form.js';
import {
  applicationPage,
  deleteApplicationPage,
  endSecretPage,
  rotateSecretPage,
} from '#src/admin-area/application.page.js';
import { applicationsPage } from '#src/admin-area/applications.page.js';
import { auditPage } from '#src/admin-area/audit.page.js';
import { clientHostsPage } from '#src/admin-area/client-hosts.page.js';
import { connectionsPage, switchOffPage } from '#src/admin-area/connections.page.js';
import { lookFields } from '#src/admin-area/look.policy.js';
import { lookPage } from '#src/admin-area/look.page.js';
import { schoolPage } from '#src/admin-area/school.page.js';
import { unavailablePage } from '#src/admin-area/setting-form.js';
import { settingsPage } from '#src/admin-area/settings.page.js';
import type { AuditRow } from '#src/audit/audit-row.js';
import { AUDIT_EVENTS } from '#src/audit/audit-sentence.policy.js';
import {
  confirmReviewPage,
  externalClientPage,
  externalClientsPage,
} from '#src/external-clients/external-clients.page.js';
import { invitationPage } from '#src/member-pages/invitation.form.js';
import { memberEndingPage, memberPage, ownerRolesPage } from '#src/member-pages/member.page.js';
import { peoplePage } from '#src/member-pages/people.page.js';
import {
  ADMIN,
  CLIENT,
  CONTEXT,
  EMAIL,
  EXTERNAL,
  INVITED,
  LONG_MEMBER,
  MEMBERS,
  OPERATOR_CLIENT,
  OTHER_OWNER,
  RECENTLY,
  REGISTERED,
  ROTATING,
  SITE,
  SUSPENDED,
  WITHOUT_CONNECTIONS,
  noticed,
} from './planted.ts';
import { statesOf } from './state.ts';
import type { State } from './state.ts';

const NO_FILTER = { text: '', state: undefined, role: undefined };
const NO_CLIENT_FILTER = { text: '', source: undefined, review: undefined };
const NO_AUDIT_FILTER = { person: '', client: '', event: '', from: '', to: '', timezone: 'UTC' };
const SCHOOL = { name: SITE.name, locale: 'en', timezone: 'Asia/Taipei' };
const LOOK = lookFields(SITE.appearance.theme);
const LOGO_FILE = `${SITE.base_url}/files/public/019ab3c0-de90-7a01-9c3d-4e5f60718293`;
/** A PNG of one pixel. */
const DOT = {
  type: 'image/png' as const,
  bytes: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==',
    'base64',
  ),
};
const NO_PAGES = { reference: undefined, explorer: undefined };
const list = { clients: [CLIENT, OPERATOR_CLIENT, ROTATING], more: false, after: null, ofPages: NO_PAGES };
const GIVEN = {
  name: '',
  redirect_uris: ['myapp://callback'],
  scopes: [],
  post_logout_redirect_uris: [],
  compatibility_mode: false,
};
const FAULTS = { name: ['Enter a name.'], redirect_uris: ['myapp://callback: use https.'] };

const ROWS: readonly AuditRow[] = AUDIT_EVENTS.map((event, at) => ({
  audit_id: String(at),
  occurred_at: RECENTLY,
  event,
  client_id: CLIENT.client_id,
  client_name: CLIENT.name,
  details: event === 'sign_in.failed' ? { method: 'password', source: '203.0.113.0/24' } : {},
  email: EMAIL,
  person_name: 'Zoë Walker',
  actor_name: null,
}));
const ENTRY = {
  id: 'entry',
  summary: 'Mei Lin published the course Knots and splices.',
  client_id: 'back-office',
  via: 'rest',
  created_at: RECENTLY.toISOString(),
};

/** The pages of the admin area. */
export const ADMIN_STATES: readonly State[] = [
  ...statesOf(overviewPage, { 'connections on': [CONTEXT], 'connections off': [WITHOUT_CONNECTIONS] }),
  ...statesOf(peoplePage, {
    members: [CONTEXT, NO_FILTER, { members: MEMBERS, more: true }],
    'none found': [CONTEXT, { ...NO_FILTER, text: 'nothing' }, { members: [], more: false }],
    'after a change': [noticed('member_removed', 'Ben Okafor'), NO_FILTER, { members: MEMBERS, more: false }],
  }),
  ...statesOf(memberPage, {
    active: [CONTEXT, LONG_MEMBER],
    invited: [CONTEXT, INVITED],
    suspended: [CONTEXT, SUSPENDED],
    'an owner': [CONTEXT, OTHER_OWNER],
    oneself: [CONTEXT, { ...ADMIN, member_id: CONTEXT.person.member_id }],
    'refused change': [CONTEXT, ADMIN, { status: 409, message: 'The last admin stays.' }],
  }),
  ...statesOf(memberEndingPage, {
    suspend: [CONTEXT, ADMIN, 'suspend'],
    remove: [CONTEXT, LONG_MEMBER, 'remove'],
    'withdraw an invitation': [CONTEXT, INVITED, 'remove'],
  }),
  ...statesOf(ownerRolesPage, { question: [CONTEXT, OTHER_OWNER, { given: ['admin'], base: 'roles' }] }),
  ...statesOf(invitationPage, {
    'first visit': [CONTEXT],
    'wrong values': [
      CONTEXT,
      {
        given: { email: 'no address', name: '', roles: [] },
        faults: { email: ['Enter an email address.'], role: ['Select a role.'] },
      },
    ],
    'known address': [
      CONTEXT,
      { given: { email: EMAIL, name: '', roles: ['student'] }, faults: {}, taken: ADMIN.member_id },
    ],
  }),
  ...statesOf(applicationsPage, {
    'of each purpose': [CONTEXT, list],
    none: [CONTEXT, { ...list, clients: [] }],
    'with pages for developers': [
      CONTEXT,
      { ...list, ofPages: { reference: { client_id: 'docs', scope: 'courses:read' }, explorer: undefined } },
    ],
  }),
  ...statesOf(newApplicationPage, { purpose: [CONTEXT] }),
  ...statesOf(applicationFormPage, {
    'for members': [CONTEXT, 'member'],
    'for operators': [CONTEXT, 'operator'],
    'for sign-in': [CONTEXT, 'identity'],
    'wrong values': [CONTEXT, 'member', { given: { ...GIVEN, form: 'a-form', confidential: true }, faults: FAULTS }],
  }),
  ...statesOf(editApplicationPage, {
    'first visit': [CONTEXT, CLIENT],
    'changed since': [CONTEXT, CLIENT, 'stale'],
    'wrong values': [CONTEXT, CLIENT, { given: GIVEN, faults: FAULTS, base: '' }],
  }),
  ...statesOf(applicationPage, {
    'secret shown once': [
      noticed('application_created', CLIENT.name),
      { client: CLIENT, secret: 'a-secret-that-is-shown-once' },
    ],
    'public, of operators': [CONTEXT, { client: OPERATOR_CLIENT }],
    'two secrets': [CONTEXT, { client: ROTATING }],
  }),
  ...statesOf(deleteApplicationPage, { question: [CONTEXT, CLIENT] }),
  ...statesOf(rotateSecretPage, { question: [CONTEXT, CLIENT], 'during another rotation': [CONTEXT, ROTATING] }),
  ...statesOf(endSecretPage, { question: [CONTEXT, ROTATING] }),
  ...statesOf(externalClientsPage, {
    'of both origins': [
      CONTEXT,
      NO_CLIENT_FILTER,
      {
        clients: [EXTERNAL, REGISTERED, { ...EXTERNAL, review: 'blocked', last_used_at: null }],
        more: true,
        waiting: 1,
      },
    ],
    none: [CONTEXT, NO_CLIENT_FILTER, { clients: [], more: false, waiting: 0 }],
    'none found': [CONTEXT, { ...NO_CLIENT_FILTER, text: 'nothing' }, { clients: [], more: false, waiting: 0 }],
  }),
  ...statesOf(externalClientPage, {
    'unreviewed document': [CONTEXT, EXTERNAL],
    'approved document': [CONTEXT, { ...EXTERNAL, review: 'approved' }],
    'blocked document': [CONTEXT, { ...EXTERNAL, review: 'blocked' }],
    registered: [CONTEXT, REGISTERED],
  }),
  ...statesOf(confirmReviewPage, {
    block: [CONTEXT, REGISTERED, 'blocked'],
    withdraw: [CONTEXT, EXTERNAL, 'unreviewed'],
  }),
  ...statesOf(settingsPage, {
    settings: [CONTEXT, SITE.settings],
    'changed since': [CONTEXT, SITE.settings, { isStale: true }],
  }),
  ...statesOf(schoolPage, {
    'first visit': [CONTEXT, SCHOOL],
    'wrong name': [CONTEXT, { ...SCHOOL, name: '' }, { faults: [{ field: 'name', code: 'invalid_value' }] }],
    'changed since': [CONTEXT, SCHOOL, { isStale: true }],
  }),
  ...statesOf(lookPage, {
    'first visit': [CONTEXT, LOOK],
    preview: [CONTEXT, { ...LOOK, accent_color: '#7a1f1f' }, { isPreview: true }],
    'chosen logo': [CONTEXT, LOOK, { isPreview: true, chosen: { logo: DOT } }],
    'logo and icon of files': [CONTEXT, { ...LOOK, logo_url: LOGO_FILE, favicon_url: LOGO_FILE }],
    'refused files': [
      CONTEXT,
      LOOK,
      {
        faults: [
          { field: 'logo_file', code: 'bytes' },
          { field: 'favicon_file', code: 'damaged_image' },
        ],
      },
    ],
    'too long': [CONTEXT, LOOK, { isTooLong: true }],
    'low contrast': [
      CONTEXT,
      { ...LOOK, text_color: '#ffffff' },
      { faults: [{ field: 'text_color', code: 'low_contrast' }] },
    ],
  }),
  ...statesOf(unavailablePage, { 'admin-api is down': [CONTEXT, 'Name and languages'] }),
  ...statesOf(connectionsPage, {
    on: [CONTEXT],
    'never switched': [WITHOUT_CONNECTIONS],
    unavailable: [CONTEXT, true],
  }),
  ...statesOf(switchOffPage, {
    question: [CONTEXT, { count: 12, more: false }],
    many: [CONTEXT, { count: 10_000, more: true }],
  }),
  ...statesOf(clientHostsPage, {
    hosts: [CONTEXT, SITE.settings],
    none: [CONTEXT, { ...SITE.settings, cimd_hosts: [], cimd_open: true }],
    'wrong host': [
      CONTEXT,
      SITE.settings,
      { given: 'https://app.example.com/', fault: 'Enter a host without a path.' },
    ],
  }),
  ...statesOf(activityPage, {
    entries: [CONTEXT, { entries: [ENTRY], next_cursor: 'older' }],
    none: [CONTEXT, { entries: [], next_cursor: null }],
    unavailable: [CONTEXT, undefined],
  }),
  ...statesOf(auditPage, {
    'every event': [CONTEXT, NO_AUDIT_FILTER, { rows: ROWS, more: true }],
    'none found': [CONTEXT, { ...NO_AUDIT_FILTER, person: EMAIL }, { rows: [], more: false }],
  }),
];
