import { z } from 'zod';
import { isLoopbackRedirect } from '#src/clients/redirect-uri.policy.js';
import { clientIdUrl } from './client-id-url.policy.js';
import { GRANT_TYPES, RESPONSE_TYPES } from '#src/protocol/capabilities.js';

/** The members of a client's document that a site stores. */
export interface ClientDocument {
  readonly name: string;
  readonly redirect_uris: readonly string[];
  readonly post_logout_redirect_uris: readonly string[];
  /** Null without a valid one. */
  readonly logo_uri: string | null;
}

export type ReadDocument = ClientDocument | { readonly error: string };

const NAME_LENGTH = 120;
const REDIRECT_URIS = 10;
const REDIRECT_URI_LENGTH = 1024;

const strings = z.array(z.string().max(REDIRECT_URI_LENGTH));
/** Other members are ignored (RFC 7591 §2), also `scope`: the site decides which scopes a client may request. */
const documentSchema = z.object({
  client_id: z.string(),
  client_name: z
    .string()
    .trim()
    .min(1)
    .max(NAME_LENGTH)
    // Rejects control and formatting characters, because consent shows the name.
    .regex(/^[^\p{C}]+$/u, 'must be plain text')
    .optional(),
  redirect_uris: strings.min(1).max(REDIRECT_URIS),
  post_logout_redirect_uris: strings.max(REDIRECT_URIS).default([]),
  logo_uri: z.unknown().optional(),
  token_endpoint_auth_method: z.string().default('none'),
  grant_types: strings.optional(),
  response_types: strings.optional(),
  client_secret: z.undefined('must not be in a public document').optional(),
  client_secret_expires_at: z.undefined('must not be in a public document').optional(),
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Absent means ours. Unknown values are dropped, and one of ours must remain. */
function lacks(named: readonly string[] | undefined, ours: string): boolean {
  return named !== undefined && !named.includes(ours);
}

function belongs(uri: string, url: URL): boolean {
  if (isLoopbackRedirect(uri, { localhost: true })) return true;
  const parsed = URL.parse(uri);
  const plain = /^[\x21-\x7e]+$/.test(uri) && !uri.includes('\\') && !uri.includes('#');
  return plain && parsed?.origin === url.origin && parsed.username === '' && parsed.password === '';
}

/**
 * Reads the document at a client_id. It must contain its own URL byte for byte, redirect only to its own origin or to
 * the device of the person (RFC 8252 §7.3), and describe a public client, because no secret can be shared.
 */
export function readDocument(url: URL, text: string): ReadDocument {
  const json = parseJson(text);
  if (json === undefined) return { error: 'The document is not JSON' };
  const parsed = documentSchema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { error: `${issue?.path.join('.') || 'The document'}: ${issue?.message ?? 'is not valid'}` };
  }
  const document = parsed.data;
  if (document.client_id !== url.href) return { error: 'client_id: is not the address of the document' };
  if (document.token_endpoint_auth_method !== 'none')
    return { error: 'token_endpoint_auth_method: only none is taken' };
  if (lacks(document.grant_types, GRANT_TYPES[0])) return { error: `grant_types: ${GRANT_TYPES[0]} is missing` };
  if (lacks(document.response_types, RESPONSE_TYPES[0]))
    return { error: `response_types: ${RESPONSE_TYPES[0]} is missing` };
  const foreign = document.redirect_uris.find((uri) => !belongs(uri, url));
  if (foreign !== undefined)
    return { error: 'redirect_uris: only addresses of the document’s own origin, or loopback' };
  return {
    name: document.client_name ?? url.hostname,
    redirect_uris: [...new Set(document.redirect_uris)],
    logo_uri: logoAddress(document.logo_uri),
    // Foreign ones are dropped: the client loses only the redirect after a logout.
    post_logout_redirect_uris: [...new Set(document.post_logout_redirect_uris)].filter((uri) => belongs(uri, url)),
  };
}

/** An address with the form of a client_id. Another one is dropped: the client loses only its logo. */
function logoAddress(value: unknown): string | null {
  return typeof value === 'string' ? (clientIdUrl(value)?.href ?? null) : null;
}

type Identity = Pick<ClientDocument, 'name' | 'redirect_uris'>;

/** True when a site must review the new document again. */
export function isAnother(before: Identity, after: Identity): boolean {
  const list = ({ redirect_uris }: Identity): string => redirect_uris.toSorted().join('\n');
  return before.name !== after.name || list(before) !== list(after);
}
