import type { Student } from './student.entity.js';
import type { StudentCreate, StudentPatch } from './student.schema.js';
import type { StudentState } from './student.state.js';

/** The columns of a student that an operator sets. */
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

/**
 * JSON Merge Patch (RFC 7396): the columns that get another value. A person is known by their address, so another address
 * ends the link to the person; auth links the person of the new one.
 */
export function changedColumns(
  student: Student,
  { tags, ...rest }: StudentPatch,
): Partial<NewStudent & Pick<Student, 'person_id'>> {
  const wanted: Partial<NewStudent> = { ...rest, ...(tags === undefined ? {} : { tags: tags ?? [] }) };
  const entries = Object.entries(wanted) as [keyof NewStudent, unknown][];
  const changed: Partial<NewStudent> = Object.fromEntries(
    entries.filter(
      ([column, value]) => value !== undefined && JSON.stringify(student[column]) !== JSON.stringify(value),
    ),
  );
  return changed.email === undefined ? changed : { ...changed, person_id: null };
}

/** What auth says of a person at a site, and said before. */
export interface RoleNews {
  readonly person_id: string;
  readonly email: string;
  readonly name: string;
  readonly isStudent: boolean;
  readonly wasStudent: boolean;
  /** The student of the school whose event made auth give or take the role. */
  readonly student_id: string | null;
}

/**
 * Whether a person without a student becomes one: when auth has given the role by itself, and has given it just now. A
 * role that follows a student of the school belongs to an address that the student no longer has.
 */
export function addsStudent({ isStudent, wasStudent, student_id }: RoleNews): boolean {
  return isStudent && !wasStudent && student_id === null;
}

/** Whether a student without a person is the one that a role belongs to. */
export function isMeant(student: Student, { email, student_id }: RoleNews): boolean {
  return student.email === email && (student_id === null || student_id === student.id);
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
