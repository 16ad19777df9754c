import type { Student } from './student.entity.js';
import type { StudentCreate, StudentPatch } from './student.schema.js';
import type { StudentState } from './student.state.js';

export type NewStudent = Pick<
  Student,
  'email' | 'name' | 'phone_number' | 'avatar_url' | 'locale' | 'tags' | 'external_id'
>;

export function newStudent({ send_welcome_email: _mail, name, ...rest }: StudentCreate): NewStudent {
  return { ...rest, name: name ?? localPart(rest.email) };
}

/** What a student is called until somebody says their name. */
export function localPart(email: string): string {
  return email.slice(0, Math.max(1, email.lastIndexOf('@')));
}

/** JSON Merge Patch (RFC 7396): the columns that get another value. */
export function changedColumns(student: Student, { tags, ...rest }: StudentPatch): Partial<NewStudent> {
  const wanted: Partial<NewStudent> = { ...rest, ...(tags === undefined ? {} : { tags: tags ?? [] }) };
  const entries = Object.entries(wanted) as [keyof NewStudent, unknown][];
  return Object.fromEntries(
    entries.filter(
      ([column, value]) => value !== undefined && JSON.stringify(student[column]) !== JSON.stringify(value),
    ),
  );
}

/** What auth says of a person at a site, and said before. */
export interface RoleNews {
  readonly person_id: string;
  readonly email: string;
  readonly name: string;
  readonly isStudent: boolean;
  readonly wasStudent: boolean;
}

export interface StudentUpdate {
  readonly changes: Partial<Pick<Student, 'person_id' | 'email' | 'state'>>;
  readonly event: 'linked' | 'updated' | 'removed';
}

/**
 * What news of a role change about the student whom they concern; null when nothing does. Only a change of ours is
 * announced, and auth only announces a change of its own: so neither answers the other for ever.
 */
export function followRole(student: Student, news: RoleNews): StudentUpdate | null {
  const link = student.person_id === null;
  const renamed = student.email !== news.email;
  // A student who was added a moment ago is not removed by news from before auth gave the role.
  const state: StudentState = news.isStudent ? 'active' : news.wasStudent ? 'removed' : student.state;
  if (!link && !renamed && state === student.state) return null;
  const changes = {
    ...(link ? { person_id: news.person_id } : {}),
    ...(renamed ? { email: news.email } : {}),
    ...(state === student.state ? {} : { state }),
  };
  return {
    changes,
    event: state === 'removed' && student.state !== 'removed' ? 'removed' : link ? 'linked' : 'updated',
  };
}
