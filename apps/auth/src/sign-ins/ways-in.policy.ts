import { SIGN_IN_LINK, SIGN_UP } from '#src/protocol/paths.js';
import type { SiteRecord } from '#src/sites/site.js';

/** The paths of the further ways in that a site offers on its sign-in page. */
export interface WaysIn {
  readonly signUp: string | undefined;
  readonly link: string | undefined;
}

/** `base`: the account, or the interaction. */
export function waysIn({ settings }: Pick<SiteRecord, 'settings'>, base: string): WaysIn {
  return {
    signUp: settings.sign_up ? `${base}/${SIGN_UP}` : undefined,
    link: settings.sign_in_links ? `${base}/${SIGN_IN_LINK}` : undefined,
  };
}
