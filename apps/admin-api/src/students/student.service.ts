import { SiteStores } from '@lyceum/collections';
import type { Caller, Created, Key, SiteStore, UpsertRequest, Written } from '@lyceum/collections';
import { studentEvents } from '@lyceum/contracts';
import type { StudentReference } from '@lyceum/contracts';
import type { Republication } from '@lyceum/messaging';
import { changedColumns } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { requireAdministrator } from '#src/access/administrator.policy.js';
import { ofOwnStudents } from '#src/access/teacher.fence.js';
import { Student } from './student.entity.js';
import { addsStudent, editOf, followRole, isEdit, isMeant, localPart } from './student.policy.js';
import type { RoleNews } from './student.policy.js';
import { StudentRepository } from './student.repository.js';
import { student as resource } from './student.schema.js';
import type { StudentCreate, StudentListQuery, StudentPatch, StudentRestore } from './student.schema.js';

@Injectable()
export class StudentService {
  readonly #students: SiteStore<Student, typeof studentEvents>;

  constructor(
    stores: SiteStores,
    private readonly repository: StudentRepository,
  ) {
    this.#students = stores.of({
      entity: Student,
      resource,
      fence: ofOwnStudents,
      unique: { students_email: 'email', students_external_id: 'external_id' },
      events: studentEvents,
      data: ({ id: student_id, site_id, person_id, email, name, locale, state }) => ({
        student_id,
        site_id,
        person_id,
        email,
        name,
        locale,
        state,
        send_welcome_email: false,
      }),
    });
  }

  list(caller: Caller, query: StudentListQuery): Promise<Page<Student>> {
    return this.#students.list(caller, query);
  }

  get(caller: Caller, id: string): Promise<Student> {
    return this.#students.get(caller, id);
  }

  /** The student that a command names. */
  async referred(caller: Caller, reference: StudentReference): Promise<Student> {
    return (await this.#students.find(caller, reference)) ?? this.#students.missing();
  }

  /** Every change of a student or of their enrollments locks the student first. */
  lock(caller: Caller, id: string, tx: EntityManager): Promise<Student> {
    return this.#students.lock(tx, caller, id);
  }

  /** @throws `already_exists` for an address or an external id that the site knows. */
  async create(
    caller: Caller,
    { send_welcome_email, ...input }: StudentCreate,
    tx: EntityManager,
  ): Promise<Created<Student>> {
    requireAdministrator(caller, 'add students');
    const values = await this.#rowOf(caller, input, tx);
    return this.#students.insert(tx, caller, values, 'created', { send_welcome_email });
  }

  /** The student of the address: the one who exists, active again if they were removed, or else a new one. */
  async ensure(caller: Caller, input: StudentCreate, tx: EntityManager): Promise<Created<Student>> {
    const find = (): Promise<Student | undefined> => this.#students.findLocked(tx, caller, { email: input.email });
    const known = await find();
    if (known === undefined) {
      return this.create(caller, input, tx).catch(async (error: unknown) => {
        const existing = await find();
        if (existing === undefined) throw error;
        return { row: existing, changed: false, created: false };
      });
    }
    const restored = restoration(known, input);
    if (restored === undefined) return { row: known, changed: false, created: false };
    return { ...(await this.#students.write(tx, known, restored)), created: false };
  }

  async upsert({
    tx,
    principal,
    body: { send_welcome_email, ...input },
    patch: { send_welcome_email: _mail, ...patch },
    ...key
  }: UpsertRequest<StudentCreate, StudentPatch & Pick<StudentCreate, 'send_welcome_email'>>): Promise<
    Created<Student>
  > {
    requireAdministrator(principal, 'add students');
    const values = await this.#rowOf(principal, input, tx);
    return this.#students.upsert(tx, principal, key, {
      create: () => values,
      decide: (student) => updated(student, patch),
      also: { send_welcome_email },
    });
  }

  restore(caller: Caller, key: Key, mail: StudentRestore, tx: EntityManager): Promise<Written<Student>> {
    return this.#students.change(tx, caller, key, (student) => restoration(student, mail));
  }

  patch(caller: Caller, key: Key, patch: StudentPatch, tx: EntityManager): Promise<Written<Student>> {
    return this.#students.change(tx, caller, key, (student) => updated(student, patch));
  }

  /**
   * Follows the roles of a person in auth: links the student of that address, adds one for a role that was given in auth,
   * removes one who lost it. Returns the student that it linked, whose enrollments can be sent with the person now.
   */
  async followRole(caller: Caller, news: RoleNews, tx: EntityManager): Promise<{ linked: Student | undefined }> {
    const student = await this.#studentOf(caller, news, tx);
    if (student === undefined) {
      if (addsStudent(news)) await this.#addFromRole(caller, news, tx);
      return { linked: undefined };
    }
    const update = followRole(student, news);
    if (update === undefined) return { linked: undefined };
    const row = isEdit(update)
      ? (await this.#students.write(tx, student, update)).row
      : await this.#students.note(tx, student, update);
    return { linked: student.person_id === null ? row : undefined };
  }

  async #studentOf(caller: Caller, news: RoleNews, tx: EntityManager): Promise<Student | undefined> {
    const known = await this.#students.findLocked(tx, caller, { person_id: news.person_id });
    if (known !== undefined) return known;
    const namesake = await this.#students.findLocked(tx, caller, { email: news.email });
    if (namesake === undefined || !isMeant(namesake, news)) return undefined;
    if (namesake.person_id === null) return namesake;
    // The address went from one person to another, and the event with the first one's new address is still on its way.
    throw new Error(`Student ${namesake.id} has the address of person ${news.person_id} and is another person`);
  }

  async #addFromRole(
    caller: Caller,
    { email, name, person_id, member_id }: RoleNews,
    tx: EntityManager,
  ): Promise<void> {
    await this.#students.insert(tx, caller, { email, name, person_id, member_id }, 'created');
  }

  /** The columns of a new student, with the person whom auth has announced under the address. */
  async #rowOf(
    caller: Caller,
    input: Omit<StudentCreate, 'send_welcome_email' | 'external_id'>,
    tx: EntityManager,
  ): Promise<Partial<Student>> {
    const name = input.name ?? localPart(input.email);
    return { ...input, name, ...(await this.repository.personOf(tx, caller, input.email)) };
  }

  republication(): Republication<typeof studentEvents> {
    return this.#students.republication();
  }
}

function updated(student: Student, patch: StudentPatch) {
  const changes = changedColumns(student, patch, resource);
  return changes && { event: 'updated' as const, changes: editOf(changes) };
}

function restoration({ state }: Student, { send_welcome_email }: StudentRestore) {
  if (state !== 'removed') return undefined;
  return { event: 'updated', changes: { state: 'active' }, also: { send_welcome_email } } as const;
}
