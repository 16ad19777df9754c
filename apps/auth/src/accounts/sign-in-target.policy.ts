import { ACCOUNT } from '#src/protocol/paths.js';

const LENGTH = 1024;
/** A page of the account or the admin area. No character of it can begin another origin or leave the path. */
const TARGET = /^\/(account|admin)(\/[\w-]+)*(\?[\w=&%.~+-]*)?$/;
/** Pages that are for people without a session, or that change something. */
const EXCLUDED = /^\/account\/(sign-in|sign-in-link|sign-up|sign-out|password|invitation|email-link)([/?]|$)/;

/** The page at which a sign-in continues. Another address becomes the account. */
export function signInTarget(next: unknown): string {
  const isTarget = typeof next === 'string' && next.length <= LENGTH && TARGET.test(next) && !EXCLUDED.test(next);
  return isTarget ? next : ACCOUNT;
}

/** The sign-in page that continues at the address. */
export function signInBefore(address: string): string {
  const target = signInTarget(address);
  const sign = `${ACCOUNT}/sign-in`;
  return target === ACCOUNT ? sign : `${sign}?next=${encodeURIComponent(target)}`;
}
