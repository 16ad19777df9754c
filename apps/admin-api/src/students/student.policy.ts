import { ERASED_NAME, isErasedEmail } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';

export const STUDENT_STATES = ['active', 'removed'] as const;
export type StudentState = (typeof STUDENT_STATES)[number];

/** A removed student must be restored before a new enrollment, purchase or booking. @throws `invalid_state` */
export function requireActiveStudent(state: StudentState): void {
  if (state === 'removed') {
    throw new ApiError('invalid_state', 'The student was removed from the site', {
      hint: 'Restore the student first',
    });
  }
}

/** The row of an erased student belongs to no person, and never to another one. @throws `invalid_state` */
export function requireUnerased({ email }: Pick<KnownStudent, 'email'>): void {
  if (isErasedEmail(email)) {
    throw new ApiError('invalid_state', 'The personal data of the student was erased: add the person as a new student');
  }
}

/** The columns of a student that the rules need. */
export interface KnownStudent {
  readonly id: string;
  readonly person_id: string | null;
  readonly member_id: string | null;
  readonly email: string;
  readonly state: StudentState;
}

/** Default name: the local part of the e-mail address. */
export function localPart(email: string): string {
  return email.slice(0, Math.max(1, email.lastIndexOf('@')));
}

/**
 * Returns the changes of an edit. A new address ends the link to the person, because auth identifies people by address.
 * Auth then links the person of the new address.
 */
export function editOf<Changes extends { readonly email?: string }>(
  changes: Changes,
): Changes & { readonly person_id?: null; readonly member_id?: null } {
  return changes.email === undefined ? changes : { ...changes, person_id: null, member_id: null };
}

/** The roles of a person at a site, as an event of auth has them, and the roles before it. */
export interface RoleNews {
  readonly person_id: string;
  /** Null in events of older releases of auth. */
  readonly member_id: string | null;
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
export function isMeant(student: KnownStudent, { email, student_id }: RoleNews): boolean {
  return student.email === email && (student_id === null || student_id === student.id);
}

interface StudentUpdate {
  readonly changes: Partial<Omit<KnownStudent, 'id'>>;
  readonly event: 'linked' | 'updated' | 'removed';
}

/**
 * How a role changes its student; undefined when it does not. Only a change is published, and auth only publishes a
 * change of its own: so the two services do not answer each other forever.
 */
export function followRole(student: KnownStudent, news: RoleNews): StudentUpdate | undefined {
  const link = student.person_id === null || (student.member_id === null && news.member_id !== null);
  const renamed = student.email !== news.email;
  // An event from before auth gave the role does not remove a student who was added a moment ago.
  const state: StudentState = news.isStudent ? 'active' : news.wasStudent ? 'removed' : student.state;
  if (!link && !renamed && state === student.state) return undefined;
  const changes = {
    ...(link ? { person_id: news.person_id, member_id: news.member_id } : {}),
    ...(renamed ? { email: news.email } : {}),
    ...(state === student.state ? {} : { state }),
  };
  return {
    changes,
    event: state === 'removed' && student.state !== 'removed' ? 'removed' : link ? 'linked' : 'updated',
  };
}

/** Returns the changes that erase personal data. The address stays unique. */
export function erasure(email: string) {
  return {
    person_id: null,
    member_id: null,
    email,
    name: ERASED_NAME,
    phone_number: null,
    avatar_url: null,
    locale: null,
    state: 'removed' as const,
    tags: [],
    external_id: null,
    metadata: {},
  };
}

/** Whether an update is an edit, which the entity tag of an editor shows. The link to a person is none. */
export function isEdit({ changes }: StudentUpdate): boolean {
  return Object.keys(changes).some((column) => column !== 'person_id' && column !== 'member_id');
}

export function studentInUse(): ApiError {
  const message = 'The student has or had enrollments, purchases or registrations, or has written';
  return new ApiError('resource_in_use', message, { hint: 'Remove the member to erase the personal data' });
}
