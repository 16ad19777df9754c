import { say } from '@lyceum/messages';
import type { Select } from '@lyceum/pages';
import { TIME_ZONES } from '@lyceum/platform';
import type { SiteRecord } from '#src/sites/site.js';

/** The choices of a profile with the time zone `chosen`, by their names in the IANA time zone database. */
export function timeZoneChoices({ school }: SiteRecord, chosen: string): Select['choices'] {
  const isOther = chosen !== '' && !TIME_ZONES.has(chosen);
  const named = [...TIME_ZONES, ...(isOther ? [chosen] : [])].map((zone) => ({ value: zone, words: zone }));
  return [{ value: '', words: say('profile.no_timezone', { timezone: school.timezone ?? 'UTC' }) }, ...named];
}
