import { changedColumns } from '@lyceum/rest';
import type { Student } from './student.entity.js';
import { editOf, requireUnerased } from './student.policy.js';
import { student as resource } from './student.schema.js';
import type { StudentPatch, StudentRestore } from './student.schema.js';

/**
 * The edit of a student by a patch, or undefined when nothing changes.
 *
 * @throws `invalid_state` for another address of an erased student
 */
export function updated(student: Student, patch: StudentPatch) {
  const changes = changedColumns(student, patch, resource);
  if (changes?.email !== undefined) requireUnerased(student);
  return changes && { event: 'updated' as const, changes: editOf(changes) };
}

/** @throws `invalid_state` for an erased student */
export function restoration(student: Student, { send_welcome_email }: StudentRestore) {
  if (student.state !== 'removed') return undefined;
  requireUnerased(student);
  return { event: 'updated', changes: { state: 'active' }, also: { send_welcome_email } } as const;
}
