import { SYSTEM_ACTOR, eventType, studentEvents } from '@lyceum/contracts';
import { uuidv7 } from '@lyceum/platform';
import { DataSource } from 'typeorm';
import { StudentsService } from '#src/students/students.service.js';
import type { StudentEvent } from '#src/students/students.service.js';
import type { TestAuth } from './auth.js';

type Student = StudentEvent['data'];

/** The event of a version of a student of the first site: active and without a person, unless `student` differs. */
export function studentEvent(
  { site }: TestAuth,
  version: number,
  student: Pick<Student, 'student_id' | 'email'> & Partial<Student>,
): StudentEvent {
  const { site_id } = site;
  const state = { person_id: null, locale: null, state: 'active', send_welcome_email: false } as const;
  const data: Student = { name: 'New Student', site_id, ...state, ...student };
  return {
    id: uuidv7(),
    type: eventType(studentEvents, 'created'),
    aggregate_id: data.student_id,
    aggregate_version: version,
    site_id: data.site_id,
    epoch: 1,
    actor: SYSTEM_ACTOR,
    occurred_at: new Date().toISOString(),
    data,
  };
}

/** Applies the event as the consumer does: in a transaction, in which `next` applies the events after it. */
export const applyStudent = ({ app }: TestAuth, event: StudentEvent, next?: () => Promise<void>): Promise<void> =>
  app.get(DataSource).transaction(async (manager) => {
    await app.get(StudentsService, { strict: false }).apply(event, manager);
    await next?.();
  });
