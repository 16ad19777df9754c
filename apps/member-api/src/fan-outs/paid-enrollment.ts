import type { enrollmentEvents } from '@lyceum/contracts';
import type { z } from 'zod';
import { ACTIVE } from '#src/course-access/course-access.js';

/** The compiler asks for each source of the contract. */
const IS_PAID: Readonly<Record<z.output<typeof enrollmentEvents.data>['source'], boolean>> = {
  purchase: true,
  membership: true,
  manual: true,
  import: true,
  free: false,
};
const PAID = Object.entries(IS_PAID).flatMap(([source, isPaid]) => (isPaid ? [`'${source}'`] : []));

/** An enrollment that is not free. An unknown source is not paid: its next event has the source. */
export const PAID_ENROLLMENT = `${ACTIVE} and e.source in (${PAID.join(', ')})`;
