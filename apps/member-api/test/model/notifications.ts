import { NAMES, TIMES, uuid } from './numbers.js';
import type { Numbers } from './numbers.js';
import type { Row } from './row.js';

/** Most have a subject of their member; some have one of another member, or none. */
export function makeNotifications({ pick }: Numbers, kinds: readonly (readonly Row[])[]): Row[] {
  const other = (key: string): Row[string] => pick(pick(kinds))[key] ?? null;
  return Array.from({ length: 300 }, (_, n) => {
    // In turn, so that every kind occurs.
    const kind = kinds[n % kinds.length] ?? [];
    const thing = kind[Math.floor(n / kinds.length) % kind.length] ?? {};
    const mine = n % 4 > 0;
    return {
      notification_id: uuid(6, (n * 29) % 997),
      site_id: mine ? (thing['site_id'] ?? null) : other('site_id'),
      person_id: mine ? (thing['person_id'] ?? null) : other('person_id'),
      occasion: `occasion-${n}`,
      kind: pick(['course_enrolled', 'lecture_published', 'offer_sent']),
      parameters: JSON.stringify({
        course: pick(NAMES),
        lecture: pick(NAMES),
        title: pick(NAMES),
        body: pick([null, ...NAMES]),
      }),
      path: pick([null, n % 5 === 0 ? '/posts/tides' : `/courses/course-${n % 30}`]),
      subject_id: n % 11 === 0 ? pick([null, uuid(4, 99)]) : (thing['id'] ?? null),
      created_at: pick(TIMES),
      read_at: pick([null, '2026-06-06T06:06:06.06Z']),
    };
  });
}
