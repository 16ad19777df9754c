import type { SiteRecord } from '#src/sites/site.js';
import type { EmailLinkPurpose } from './email-link.js';

/** True for a site whose people may create an account, or sign in by email. */
export function offers({ settings }: Pick<SiteRecord, 'settings'>, purpose: EmailLinkPurpose): boolean {
  return purpose === 'sign_up' ? settings.sign_up : settings.sign_in_links;
}
