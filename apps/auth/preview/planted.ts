import { wholeTheme } from '@lyceum/contracts';
import type { AccountContext } from '#src/accounts/account-session.guard.js';
import type { NoticeKind } from '#src/notices/notices.js';
import { siteAppearance } from '#src/appearances/appearance.js';
import type { ConnectedApplication } from '#src/applications/connected-application.js';
import type { OAuthClient } from '#src/clients/client.js';
import type { ExternalClient } from '#src/external-clients/external-client.js';
import type { ListedMember } from '#src/members/listed-member.js';
import type { Passkey } from '#src/passkeys/passkey.js';
import type { PendingInteraction } from '#src/provider/authorization/open-interaction.js';
import { siteSettings } from '#src/sites/site.js';
import type { SiteRecord } from '#src/sites/site.js';

export const CSRF = 'csrf-token';
export const EMAIL = 'zoe.walker@example.com';
export const NEW_EMAIL = 'zoe@harbour.example';
/** Words that no line may break the page with. */
const LONG_NAME = 'Wolfeschlegelsteinhausenbergerdorff Maria del Carmen';

const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
export const RECENTLY = minutesAgo(12);
export const LAST_WEEK = minutesAgo(7 * 24 * 60);
export const TOMORROW = minutesAgo(-24 * 60 + 1);

const id = (number: number): string => `01a1fb4f-0000-7000-8000-${String(number).padStart(12, '0')}`;

export const SITE: SiteRecord = {
  site_id: id(1),
  base_url: 'https://harbour.example',
  host: 'harbour.example',
  name: 'Harbour School',
  slug: 'harbour',
  org_id: 'org_harbour',
  state: 'active',
  settings: siteSettings({ mcp_connections: true, sign_up: true, sign_in_links: true }),
  appearance: siteAppearance({
    version: 1,
    theme: wholeTheme({ accent_color: '#0b5c86' }),
    logo_url: null,
    favicon_url: null,
  }),
  school: { name: 'Harbour School', mcp_connections: true, locale: null, timezone: 'Asia/Taipei', course_url: null },
  version: 1,
};
/** A site that has switched nothing on, without a look of its own. */
export const BARE_SITE: SiteRecord = {
  ...SITE,
  name: 'Orchard',
  settings: siteSettings({}),
  appearance: siteAppearance(null),
};

export const CONTEXT: AccountContext = {
  site: SITE,
  person: {
    person_id: id(2),
    member_id: id(3),
    email: EMAIL,
    email_verified: true,
    name: 'Zoë Walker',
    picture: null,
    org_id: 'org_harbour',
    roles: ['owner'],
    locale: 'en',
    phone: '+886912345678',
    timezone: 'Asia/Taipei',
  },
  session: { person_id: id(2), uid: 'this-session' },
  csrf: CSRF,
  notice: undefined,
};
export const STUDENT: AccountContext = { ...CONTEXT, person: { ...CONTEXT.person, roles: ['student'] } };
export const WITHOUT_CONNECTIONS: AccountContext = { ...CONTEXT, site: BARE_SITE };

export const noticed = (kind: NoticeKind, about = ''): AccountContext => ({ ...CONTEXT, notice: { kind, about } });

export const CLIENT: OAuthClient = {
  client_key: id(4),
  client_id: 'study-planner',
  site_id: SITE.site_id,
  name: 'Study planner',
  audience: 'member',
  source: 'site',
  secret_hash: Buffer.alloc(32),
  previous_secret_hash: null,
  previous_secret_until: null,
  redirect_uris: ['https://planner.example/callback'],
  post_logout_redirect_uris: [],
  compatibility_mode: false,
  scopes: ['openid', 'profile', 'email', 'account:read', 'account:write'],
  review: null,
  version: 1,
  created_at: LAST_WEEK,
  last_used_at: RECENTLY,
};
export const ROTATING: OAuthClient = {
  ...CLIENT,
  previous_secret_hash: Buffer.alloc(32),
  previous_secret_until: TOMORROW,
};
export const OPERATOR_CLIENT: OAuthClient = {
  ...CLIENT,
  client_key: id(5),
  client_id: 'back-office',
  name: 'Back office',
  audience: 'operator',
  secret_hash: null,
  scopes: ['openid', 'courses:read', 'courses:write', 'students:read', 'orders:read'],
  last_used_at: null,
};
export const DOCUMENT_CLIENT: OAuthClient = {
  ...OPERATOR_CLIENT,
  client_id: 'https://reader.example/client.json',
  name: 'A reader of courses',
  source: 'document',
  review: 'unreviewed',
};

export const PENDING: PendingInteraction = {
  uid: 'an-interaction',
  site: SITE,
  prompt: 'login',
  client_id: CLIENT.client_id,
  redirect_uri: CLIENT.redirect_uris[0] ?? '',
  scopes: CLIENT.scopes,
  login_hint: undefined,
  person_id: undefined,
};

const member = (
  number: number,
  name: string,
  email: string,
  roles: ListedMember['roles'],
  state: ListedMember['state'],
): ListedMember => ({ member_id: id(number), name, email, roles, state, joined_at: LAST_WEEK });

export const ADMIN = member(20, 'Mei Lin', 'mei@example.com', ['admin', 'lecturer'], 'active');
export const LONG_MEMBER = member(
  21,
  LONG_NAME,
  'maria.del.carmen.wolfeschlegelsteinhausenbergerdorff@a-long-domain.example',
  ['student'],
  'active',
);
export const INVITED = member(22, 'Ben Okafor', 'ben@example.com', ['student'], 'invited');
export const SUSPENDED = member(23, 'Ann Gray', 'ann@example.com', ['teaching_assistant'], 'suspended');
export const OTHER_OWNER = member(24, 'محمد علي', 'mohammed@example.com', ['owner'], 'active');
export const MEMBERS: readonly ListedMember[] = [ADMIN, LONG_MEMBER, INVITED, SUSPENDED, OTHER_OWNER];

export const EXTERNAL: ExternalClient = {
  client_key: id(30),
  client_id: DOCUMENT_CLIENT.client_id,
  name: DOCUMENT_CLIENT.name,
  source: 'document',
  review: 'unreviewed',
  redirect_uris: ['https://reader.example/callback', 'http://127.0.0.1/callback'],
  created_at: LAST_WEEK,
  last_used_at: RECENTLY,
};
export const REGISTERED: ExternalClient = {
  ...EXTERNAL,
  client_key: id(31),
  client_id: id(32),
  name: 'A tool on a laptop',
  source: 'loopback',
  redirect_uris: ['http://127.0.0.1:7777/callback'],
};

export const PASSKEY: Passkey = {
  passkey_id: id(40),
  name: 'Phone',
  credential_id: Buffer.alloc(16),
  transports: ['internal'],
  backed_up: true,
  created_at: LAST_WEEK,
  last_used_at: RECENTLY,
};

export const CONNECTED: ConnectedApplication = {
  client_key: CLIENT.client_key,
  client_id: CLIENT.client_id,
  name: CLIENT.name,
  source: 'site',
  unverified: false,
  scopes: ['openid', 'profile', 'account:read', 'account:write'],
  connected_at: LAST_WEEK,
  used_at: RECENTLY,
};
