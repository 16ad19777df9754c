/**
 * SQL condition: the row `alias` of `site_members` allows its person to use the site. The first sign-in ends an
 * invitation.
 */
export const isPresent = (alias: string): string => `${alias}.state in ('invited', 'active')`;
