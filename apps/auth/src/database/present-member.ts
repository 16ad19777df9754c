/** SQL: the row `alias` of `site_members` lets its person use the site. An invitation ends with the first sign-in there. */
export const isPresent = (alias: string): string => `${alias}.state in ('invited', 'active')`;
