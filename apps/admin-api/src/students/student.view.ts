import type { z } from 'zod';
import { PERSONAL, iso, rowTag } from '@lyceum/rest';
import type { Student } from './student.entity.js';
import type { studentView } from './student.schema.js';

export function viewStudent(row: Student): z.infer<typeof studentView> {
  return {
    id: row.id,
    person_id: row.person_id,
    email: row.email,
    name: row.name,
    phone_number: row.phone_number,
    avatar_url: row.avatar_url,
    locale: row.locale,
    state: row.state,
    tags: row.tags,
    external_id: row.external_id,
    enrollments_count: row.enrollments_count,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  };
}

/** The link to the person is shown, and no edit: like a counter, it makes the copy of a reader stale, not an editor's. */
export function studentHeaders(row: Student): Record<string, string> {
  return { ...PERSONAL, etag: rowTag(row.revision, row.enrollments_count, Number(row.person_id !== null)) };
}
