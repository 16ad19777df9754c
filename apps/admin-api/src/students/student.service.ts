import { SiteStores } from '@lyceum/collections';
import type { Created, Key, SiteStore, Written } from '@lyceum/collections';
import { studentEvents } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import type { Republication } from '@lyceum/messaging';
import { changedColumns } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Student } from './student.entity.js';
import { addsStudent, editOf, followRole, isEdit, isMeant, localPart } from './student.policy.js';
import type { RoleNews } from './student.policy.js';
import { StudentRepository } from './student.repository.js';
import { student as resource } from './student.schema.js';
import type { StudentCreate, StudentListQuery, StudentPatch } from './student.schema.js';

type Site = Pick<Principal, 'site_id'>;

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

  list(site: Site, query: StudentListQuery): Promise<Page<Student>> {
    return this.#students.list(site, query);
  }

  get(site: Site, id: string): Promise<Student> {
    return this.#students.get(site, id);
  }

  /** Every change of a student or of their enrollments locks the student first. */
  lock(site: Site, id: string, tx: EntityManager): Promise<Student> {
    return this.#students.lock(tx, site, id);
  }

  /** Idempotent by e-mail address: a student who exists stays as they are, and one who was removed is active again. */
  async create(
    site: Site,
    { send_welcome_email, ...input }: StudentCreate,
    tx: EntityManager,
  ): Promise<Created<Student>> {
    const also = { send_welcome_email };
    const values = { ...input, name: input.name ?? localPart(input.email) };
    const added = await this.repository.insert(tx, site, values);
    if (added !== undefined) {
      await this.#students.publish(tx, added, 'created', also);
      return { row: added, changed: true, created: true };
    }
    const known = await this.#students.findLocked(tx, site, { email: input.email });
    if (known === undefined) return this.#students.taken('external_id');
    if (known.state !== 'removed') return { row: known, changed: false, created: false };
    const restored = { event: 'updated', changes: { state: 'active' }, also } as const;
    return { ...(await this.#students.write(tx, known, restored)), created: false };
  }

  patch(site: Site, key: Key, patch: StudentPatch, tx: EntityManager): Promise<Written<Student>> {
    return this.#students.change(tx, site, key, (student) => {
      const changes = changedColumns(student, patch, resource);
      return changes && { event: 'updated', changes: editOf(changes) };
    });
  }

  /**
   * Follows the roles of a person in auth: links the student of that address, adds one for a role that was given in auth,
   * removes one who lost it. Returns the student that it linked, whose enrollments can be sent with the person now.
   */
  async followRole(site: Site, news: RoleNews, tx: EntityManager): Promise<{ linked: Student | undefined }> {
    const student = await this.#studentOf(site, news, tx);
    if (student === undefined) {
      if (addsStudent(news)) await this.#addFromRole(site, news, tx);
      return { linked: undefined };
    }
    const update = followRole(student, news);
    if (update === undefined) return { linked: undefined };
    const row = isEdit(update)
      ? (await this.#students.write(tx, student, update)).row
      : await this.#students.note(tx, student, update);
    return { linked: student.person_id === null ? row : undefined };
  }

  async #studentOf(site: Site, news: RoleNews, tx: EntityManager): Promise<Student | undefined> {
    const known = await this.#students.findLocked(tx, site, { person_id: news.person_id });
    if (known !== undefined) return known;
    const namesake = await this.#students.findLocked(tx, site, { email: news.email });
    if (namesake === undefined || !isMeant(namesake, news)) return undefined;
    if (namesake.person_id === null) return namesake;
    // The address went from one person to another, and the event with the first one's new address is still on its way.
    throw new Error(`Student ${namesake.id} has the address of person ${news.person_id} and is another person`);
  }

  async #addFromRole(site: Site, { email, name, person_id, member_id }: RoleNews, tx: EntityManager): Promise<void> {
    const rest = { phone_number: null, avatar_url: null, locale: null, tags: [], external_id: null };
    const added = await this.repository.insert(tx, site, { email, name, ...rest }, { person_id, member_id });
    if (added === undefined) throw new Error(`A student with the address of person ${person_id} was added this moment`);
    await this.#students.publish(tx, added, 'created');
  }

  republication(): Republication<typeof studentEvents> {
    return this.#students.republication();
  }
}
