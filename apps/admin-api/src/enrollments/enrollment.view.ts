import type { z } from 'zod';
import { PERSONAL, iso, rowTag } from '@lyceum/rest';
import type { Enrollment } from './enrollment.repository.js';
import type { enrollmentView } from './enrollment.schema.js';

export function viewEnrollment(row: Enrollment): z.infer<typeof enrollmentView> {
  return {
    id: row.id,
    student_id: row.student_id,
    course_id: row.course_id,
    state: row.state,
    source: row.source,
    started_at: iso(row.started_at),
    expires_at: iso(row.expires_at),
    has_lifetime_access: row.expires_at === null,
    completion_rate: row.completion_rate,
    completed_at: iso(row.completed_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

export function enrollmentHeaders(row: Enrollment): Record<string, string> {
  return { ...PERSONAL, etag: rowTag(row.revision) };
}
