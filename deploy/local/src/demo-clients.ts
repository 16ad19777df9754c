import { MEMBER_SCOPES, OPERATOR_SCOPES } from '@lyceum/contracts';

export interface DemoClient {
  readonly client_id: string;
  /** Only of a confidential client. */
  readonly client_secret?: string;
  readonly name: string;
  readonly audience: 'member' | 'operator';
  readonly redirect_uris: readonly string[];
  readonly scopes: readonly string[];
}

const REDIRECT_URIS = ['http://127.0.0.1:7777/callback'];
const IDENTITY = ['openid', 'profile', 'email'];

/** How the id of the client ends that imports the demo. */
export const IMPORT_SUFFIX = '-import';

/** The clients of a site: a public and a confidential one of each audience, and that of the import. */
export function demoClients(slug: string): DemoClient[] {
  return [...(['member', 'operator'] as const).flatMap((audience) => clientsOf(slug, audience)), importClient(slug)];
}

function clientsOf(slug: string, audience: 'member' | 'operator'): DemoClient[] {
  const scopes = [...IDENTITY, ...(audience === 'member' ? MEMBER_SCOPES : OPERATOR_SCOPES)];
  const client = { audience, redirect_uris: REDIRECT_URIS, scopes };
  return [
    { ...client, client_id: `${slug}-${audience}-app`, name: `Demo ${audience} app` },
    {
      ...client,
      client_id: `${slug}-${audience}-server`,
      client_secret: `${slug}-${audience}-secret-for-loopback-only`,
      name: `Demo ${audience} server`,
    },
  ];
}

/** The program of the school that imports its content by the operator API. */
function importClient(slug: string): DemoClient {
  return {
    client_id: `${slug}${IMPORT_SUFFIX}`,
    client_secret: `${slug}-import-secret-for-loopback-only`,
    name: 'Demo import',
    audience: 'operator',
    redirect_uris: REDIRECT_URIS,
    scopes: [
      'appearance:read',
      'appearance:write',
      'coupons:read',
      'coupons:write',
      'courses:read',
      'courses:write',
      'curriculum:read',
      'curriculum:write',
      'digital_products:read',
      'digital_products:write',
      'events:read',
      'events:write',
      'lecturers:read',
      'membership_plans:read',
      'membership_plans:write',
      'pages:read',
      'pages:write',
      'posts:read',
      'posts:write',
      'students:read',
      'storage:write',
      'students:write',
    ],
  };
}
