import { ApiError } from '@lyceum/errors';
import type { FieldErrorCode } from '@lyceum/errors';
import { updated } from './student.changes.js';
import type { Student } from './student.entity.js';
import { localPart, requireActiveStudent } from './student.policy.js';

export const STUDENT_IMPORT_MODES = ['create_only', 'upsert_by_email', 'upsert_by_external_id'] as const;
export type StudentImportMode = (typeof STUDENT_IMPORT_MODES)[number];

/** The columns of a student that callers set. A new student may lack all but the first two. */
export type StudentValues = Pick<Student, 'email' | 'name'> &
  Partial<Pick<Student, 'phone_number' | 'avatar_url' | 'locale' | 'tags' | 'external_id' | 'metadata'>>;

/** The members that a row names, as `StudentCreate` accepts them. */
export type StudentRow = Omit<StudentValues, 'name'> & { readonly name?: string | undefined };

export interface StudentImportRule {
  readonly mode: StudentImportMode;
  /** Its students are enrolled, so they must be active. */
  readonly enrolls: boolean;
}

/** Why a row is not imported. */
export interface RowRefusal {
  readonly pointer: string;
  readonly code: FieldErrorCode;
  readonly detail: string;
}

/** The students who have the address or the external id of a row. */
export interface Namesakes {
  readonly byEmail: Student | undefined;
  readonly byExternalId: Student | undefined;
}

export type RowDecision =
  | { readonly kind: 'created'; readonly values: StudentValues }
  | { readonly kind: 'updated'; readonly student: Student; readonly changes: Partial<Student> }
  | { readonly kind: 'skipped'; readonly student: Student }
  | { readonly kind: 'refused'; readonly refusal: RowRefusal };

/** Decides on a row by the rules of a single creation and of a single patch. */
export function decideRow(row: StudentRow, known: Namesakes, { mode, enrolls }: StudentImportRule): RowDecision {
  const student = mode === 'create_only' ? undefined : mode === 'upsert_by_email' ? known.byEmail : known.byExternalId;
  if (taken(known.byEmail, student)) return refused('/email', 'already_exists', 'Another student has this address');
  if (taken(known.byExternalId, student)) {
    return refused('/external_id', 'already_exists', 'Another student has this external id');
  }
  if (student === undefined) return { kind: 'created', values: { ...row, name: row.name ?? localPart(row.email) } };
  try {
    if (enrolls) requireActiveStudent(student.state);
    const edit = updated(student, row);
    return edit === undefined ? { kind: 'skipped', student } : { kind: 'updated', student, changes: edit.changes };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const [{ pointer = '', code, detail } = { pointer: '', code: error.code, detail: error.message }] = error.errors;
    return refused(pointer, code, detail);
  }
}

export function refused(pointer: string, code: FieldErrorCode, detail: string): RowDecision & { kind: 'refused' } {
  return { kind: 'refused', refusal: { pointer, code, detail } };
}

function taken(by: Student | undefined, own: Student | undefined): boolean {
  return by !== undefined && by.id !== own?.id;
}
