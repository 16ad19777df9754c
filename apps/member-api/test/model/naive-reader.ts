import type { TextReader } from '#src/messages/messages.js';
import type { Learners, Member } from './learners.js';

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The languages of the member and of the site. */
export function naiveReader({ sites, people, memberships }: Learners, { site, person }: Member): TextReader {
  const own = memberships.find((one) => one['site_id'] === site && one['person_id'] === person);
  const row = people.find((one) => one['person_id'] === person);
  const profile = own?.['name'] === null ? row : own;
  const language = sites.find((one) => one['site_id'] === site)?.['locale'];
  return { person: textOrNull(profile?.['locale']), site: textOrNull(language) };
}
