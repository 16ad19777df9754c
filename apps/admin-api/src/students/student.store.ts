import type { SiteStore, SiteStores } from '@lyceum/collections';
import { studentEvents } from '@lyceum/contracts';
import type { NewEvent } from '@lyceum/messaging';
import { ofOwnStudents } from '#src/access/teacher.fence.js';
import { Student } from './student.entity.js';
import { STUDENT_LAST_SEEN } from './student.listing.js';
import { student as resource } from './student.schema.js';

export type StudentStore = SiteStore<Student, typeof studentEvents>;

type StudentData = NewEvent<typeof studentEvents>['data'];

export function studentStore(stores: SiteStores): StudentStore {
  return stores.of({
    entity: Student,
    resource,
    fence: ofOwnStudents,
    computed: { last_seen_at: STUDENT_LAST_SEEN },
    unique: { students_email: 'email', students_external_id: 'external_id' },
    events: studentEvents,
    // A later removal of the member cannot find the event. auth finds the person by the address, and needs no name.
    data: (row, event) => ({
      ...dataOf(row),
      ...(event === 'deleted' && { state: 'removed', name: '', locale: null }),
    }),
  });
}

/** The columns of a student that events have. */
export type PublishedStudent = Pick<
  Student,
  'site_id' | 'id' | 'version' | 'person_id' | 'email' | 'name' | 'locale' | 'state'
>;

function dataOf({ id: student_id, site_id, person_id, email, name, locale, state }: PublishedStudent): StudentData {
  return { student_id, site_id, person_id, email, name, locale, state, send_welcome_email: false };
}

/** The event of a student whom a statement for many students wrote. */
export function eventOf(
  row: PublishedStudent,
  also: Partial<StudentData> = {},
  changed: readonly string[] = [],
): NewEvent<typeof studentEvents> {
  const { id: aggregate_id, version: aggregate_version, site_id } = row;
  return { aggregate_id, aggregate_version, site_id, data: { ...dataOf(row), ...also }, changed };
}
