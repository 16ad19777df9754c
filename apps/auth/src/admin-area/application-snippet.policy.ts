import type { OAuthClient } from '#src/clients/client.js';
import { CODE_CHALLENGE_METHODS } from '#src/protocol/capabilities.js';
import { ENDPOINTS } from '#src/protocol/endpoints.js';
import type { SiteRecord } from '#src/sites/site.js';

/** A word of a POSIX shell (IEEE Std 1003.1, 2.2.2). */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The browser shows the address that it ends at, unless an app opens it. */
const isWeb = (uri: string): boolean => /^https?:\/\//i.test(uri);

/**
 * A shell script that gets an access token: it prints the address to open, then exchanges the code of the address at
 * which the browser ends. Undefined for an application whose redirect URIs only an app opens. The parentheses keep a
 * shell from reading the rest of the pasted text as the answer to `read`.
 */
export function applicationSnippet(
  { base_url }: Pick<SiteRecord, 'base_url'>,
  { client_id, redirect_uris, scopes, secret_hash }: OAuthClient,
  secret: string | undefined,
): string | undefined {
  const redirect_uri = redirect_uris.find(isWeb);
  if (redirect_uri === undefined) return undefined;
  const request = { client_id, redirect_uri, resource: base_url };
  const query = new URLSearchParams({
    response_type: 'code',
    ...request,
    scope: scopes.join(' '),
    code_challenge_method: CODE_CHALLENGE_METHODS[0],
  });
  const sent = { grant_type: 'authorization_code', ...request };
  const isConfidential = secret_hash !== null;
  const asked = isConfidential && secret === undefined;
  const lines = [
    '(',
    ...(isConfidential && secret !== undefined ? [`SECRET=${quoted(secret)}`] : []),
    ...(asked ? [`printf 'client_secret: '; read -r SECRET`] : []),
    'STATE=$(openssl rand -hex 16)',
    'VERIFIER=$(openssl rand -hex 32)',
    `CHALLENGE=$(printf %s "$VERIFIER" | openssl dgst -sha256 -binary | openssl base64 -A | tr '+/' '-_' | tr -d '=')`,
    `printf '\\nOpen this address:\\n%s\\n\\n' ${quoted(`${base_url}${ENDPOINTS.authorization}?${query.toString()}`)}"&state=$STATE&code_challenge=$CHALLENGE"`,
    `printf 'Paste the address at which the browser ends: '; read -r ADDRESS`,
    `CODE=$(printf %s "$ADDRESS" | sed -n 's/.*[?&]code=\\([^&]*\\).*/\\1/p')`,
    `curl -sS ${quoted(`${base_url}${ENDPOINTS.token}`)} \\`,
    ...Object.entries(sent).map(([name, value]) => `  --data-urlencode ${quoted(`${name}=${value}`)} \\`),
    ...(isConfidential ? ['  --data-urlencode "client_secret=$SECRET" \\'] : []),
    '  --data-urlencode "code=$CODE" --data-urlencode "code_verifier=$VERIFIER"',
    ')',
  ];
  return lines.join('\n');
}
