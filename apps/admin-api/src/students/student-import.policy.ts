import { keysOf } from '#src/import-rows/import-mode.js';
import type { ImportMode } from '#src/import-rows/import-mode.js';
import { decideRow } from '#src/import-rows/import-row.policy.js';
import type { RowDecision } from '#src/import-rows/import-row.policy.js';
import { updated } from './student.changes.js';
import type { Student } from './student.entity.js';
import { localPart, requireActiveStudent } from './student.policy.js';

/** The columns of a student that callers set. A new student may lack all but the first two. */
export type StudentValues = Pick<Student, 'email' | 'name'> &
  Partial<Pick<Student, 'phone_number' | 'avatar_url' | 'locale' | 'tags' | 'external_id' | 'metadata'>>;

/** The members that a row names, as `StudentCreate` accepts them. A row of a new student has an address. */
export type StudentRow = Omit<StudentValues, 'email' | 'name'> & {
  readonly email?: string | undefined;
  readonly name?: string | undefined;
};

export const STUDENT_KEYS = keysOf('email', 'external_id');

export interface StudentImportRule {
  readonly mode: ImportMode;
  /** Its students are enrolled, so they must be active. */
  readonly enrolls: boolean;
}

/** The students who have the address or the external id of a row. */
export interface Namesakes {
  readonly email: Student | undefined;
  readonly external_id: Student | undefined;
}

export type StudentDecision = RowDecision<Student, StudentValues>;

/** Decides on a row by the rules of a single creation and of a single patch. */
export function decideStudent(
  row: StudentRow,
  known: Namesakes,
  { mode, enrolls }: StudentImportRule,
): StudentDecision {
  return decideRow<Student, StudentValues>({ ...known }, mode, {
    one: 'student',
    keys: STUDENT_KEYS,
    create: () => {
      const { email, name, ...values } = row;
      if (email === undefined) throw new Error('A new student has no address');
      return { ...values, email, name: name ?? localPart(email) };
    },
    change: (student) => {
      if (enrolls) requireActiveStudent(student.state);
      return updated(student, row)?.changes;
    },
  });
}
