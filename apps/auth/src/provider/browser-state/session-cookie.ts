import type { SiteRecord } from '#src/sites/site.js';

/** The cookie of an authorization that waits for the person. */
export const INTERACTION_COOKIE = 'lyceum.interaction';

/** The cookie of an authorization that continues after the person. */
export const RESUME_COOKIE = 'lyceum.resume';

/** The cookie of a signed-in browser. */
export function sessionCookie(site: SiteRecord) {
  const secure = site.base_url.startsWith('https:');
  return {
    // The prefix binds the cookie to the exact host and to TLS (RFC 6265bis §4.1.3.2); browsers refuse it over http.
    name: secure ? '__Host-lyceum' : 'lyceum',
    options: { secure, httpOnly: true, sameSite: 'lax' },
  } as const;
}
