import type { SiteStore, SiteStores } from '@lyceum/collections';
import { enrollmentEvents } from '@lyceum/contracts';
import { copyOf, iso } from '@lyceum/rest';
import { ofOwnCourses } from '#src/access/teacher.fence.js';
import { firstStartOf, planOf } from './access.policy.js';
import { Enrollment, grantsOf } from './enrollment.entity.js';
import { ENROLLMENT_CONDITIONS, readWith } from './enrollment.statements.js';
import { enrollment as resource } from './enrollment.schema.js';

export type EnrollmentStore = SiteStore<Enrollment, typeof enrollmentEvents>;

export function enrollmentStore(stores: SiteStores): EnrollmentStore {
  return stores.of({
    entity: Enrollment,
    resource: copyOf(resource, { conditions: ENROLLMENT_CONDITIONS }),
    fence: ofOwnCourses('course_id'),
    computed: readWith('enrollments'),
    unique: { enrollments_external_id: 'external_id' },
    events: enrollmentEvents,
    data: (row) => ({
      enrollment_id: row.id,
      site_id: row.site_id,
      student_id: row.student_id,
      person_id: row.person_id,
      course_id: row.course_id,
      plan_id: planOf(row.grants),
      state: row.state,
      source: row.source,
      started_at: iso(row.started_at),
      first_started_at: iso(firstStartOf(grantsOf(row))),
      expires_at: iso(row.expires_at),
      completion_rate: row.completion_rate,
      completed_at: iso(row.completed_at),
    }),
  });
}
