import type { OAuthClient } from '#src/clients/client.js';
import { APPLICATIONS } from './admin.page.js';
import { isIdentityOnly } from './application.policy.js';
import type { ApplicationKind } from './application.policy.js';

export const applicationPath = (clientId: string): string => `${APPLICATIONS}/${encodeURIComponent(clientId)}`;

/** The kind of an existing application, by its audience and scopes. */
export function kindOf(client: OAuthClient): ApplicationKind {
  if (client.audience === 'operator') return 'operator';
  return isIdentityOnly(client) ? 'identity' : 'member';
}
