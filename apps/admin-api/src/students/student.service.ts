import { studentEvents } from '@lyceum/contracts';
import type { Principal } from '@lyceum/contracts';
import { Outcome } from '@lyceum/errors';
import { Outbox } from '@lyceum/messaging';
import type { NewEvent, Republication } from '@lyceum/messaging';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Pager, requireMatch } from '@lyceum/rest';
import type { Page, Written } from '@lyceum/rest';
import type { Student } from './student.entity.js';
import { addsStudent, changedColumns, followRole, isMeant, newStudent } from './student.policy.js';
import type { RoleNews } from './student.policy.js';
import { StudentRepository } from './student.repository.js';
import type { StudentCreate, StudentListQuery, StudentPatch } from './student.schema.js';

type Site = Pick<Principal, 'site_id'>;

@Injectable()
export class StudentService {
  constructor(
    private readonly students: StudentRepository,
    private readonly pager: Pager,
    private readonly outbox: Outbox,
  ) {}

  list(principal: Principal, query: StudentListQuery): Promise<Page<Student>> {
    const list = { collection: 'students', site_id: principal.site_id };
    return this.pager.page(list, query, (after) => this.students.list(principal, query, after));
  }

  async get(principal: Principal, id: string): Promise<Student> {
    const student = await this.students.find(principal, id);
    if (student === undefined) throw missing();
    return student;
  }

  /** Idempotent by e-mail address: who is there already stays as they are; who was removed is a student again. */
  async create(
    principal: Principal,
    input: StudentCreate,
    tx: EntityManager,
  ): Promise<{ student: Student; created: boolean }> {
    const added = await this.students.insert(tx, principal, newStudent(input));
    if (added !== null) {
      await this.#announce(tx, added, 'created', input.send_welcome_email);
      return { student: added, created: true };
    }
    const student = await this.students.lock(tx, principal, { email: input.email });
    if (student === null) throw taken('external_id');
    if (student.state !== 'removed') return { student, created: false };
    return {
      student: await this.#change(tx, student, { state: 'active' }, 'updated', input.send_welcome_email),
      created: false,
    };
  }

  async patch(
    principal: Principal,
    id: string,
    change: { readonly patch: StudentPatch; readonly ifMatch: string | undefined },
    tx: EntityManager,
  ): Promise<Written<Student>> {
    const student = await this.lock(principal, { id }, tx);
    requireMatch(student.revision, change.ifMatch);
    const changes = changedColumns(student, change.patch);
    if (Object.keys(changes).length === 0) return { row: student, changed: false };
    return { row: await this.#change(tx, student, changes, 'updated'), changed: true };
  }

  /** For a change of what hangs on the student; see the repository for the order of locks. */
  async lock(site: Site, key: { id: string } | { email: string }, tx: EntityManager): Promise<Student> {
    const student = await this.students.lock(tx, site, key);
    if (student === null) throw missing();
    return student;
  }

  /**
   * Follows what auth says of a person: links the student of that address, adds one for a role that was given in auth,
   * removes one who lost it. Returns the student that it linked, whose enrollments can be sent with the person now.
   */
  async followRole(site: Site, news: RoleNews, tx: EntityManager): Promise<{ linked: Student | null }> {
    const student = await this.#studentOf(site, news, tx);
    if (student === null) {
      if (addsStudent(news)) await this.#addFromRole(site, news, tx);
      return { linked: null };
    }
    const update = followRole(student, news);
    if (update === null) return { linked: null };
    const { person_id, ...edits } = update.changes;
    const linked = person_id ? await this.students.link(tx, student, person_id) : null;
    if (Object.keys(edits).length > 0) {
      const changed = await this.#change(tx, linked ?? student, edits, update.event);
      return { linked: linked === null ? null : changed };
    }
    if (linked !== null) await this.#announce(tx, linked, update.event);
    return { linked };
  }

  async #studentOf(site: Site, news: RoleNews, tx: EntityManager): Promise<Student | null> {
    const known = await this.students.lock(tx, site, { person_id: news.person_id });
    if (known !== null) return known;
    const namesake = await this.students.lock(tx, site, { email: news.email });
    if (namesake === null || !isMeant(namesake, news)) return null;
    if (namesake.person_id === null) return namesake;
    // The address went from one person to another, and the news of the first one's new address is still on its way.
    throw new Error(`Student ${namesake.id} has the address of person ${news.person_id} and is another person`);
  }

  async #addFromRole(site: Site, news: RoleNews, tx: EntityManager): Promise<void> {
    const { email, name, person_id } = news;
    const rest = { phone_number: null, avatar_url: null, locale: null, tags: [], external_id: null };
    const added = await this.students.insert(tx, site, { email, name, ...rest }, person_id);
    if (added === null) throw new Error(`A student with the address of person ${person_id} was added this moment`);
    await this.#announce(tx, added, 'created');
  }

  async #change(
    tx: EntityManager,
    student: Student,
    changes: Partial<Student>,
    event: (typeof studentEvents.names)[number],
    sendWelcomeEmail = false,
  ): Promise<Student> {
    const changed = await this.students.update(tx, student, changes);
    if (typeof changed === 'string') throw taken(changed);
    await this.#announce(tx, changed, event, sendWelcomeEmail);
    return changed;
  }

  republication(): Republication<typeof studentEvents> {
    return {
      events: studentEvents,
      batch: async (tx, after, limit) => {
        const students = await this.students.share(tx, after, limit);
        return students.map((student) => ({ key: [student.site_id, student.id], event: toEvent(student, false) }));
      },
    };
  }

  #announce(
    tx: EntityManager,
    student: Student,
    event: (typeof studentEvents.names)[number],
    send_welcome_email = false,
  ): Promise<void> {
    return this.outbox.add(tx, studentEvents, event, toEvent(student, send_welcome_email));
  }
}

function toEvent(student: Student, send_welcome_email: boolean): NewEvent<typeof studentEvents> {
  const { id: student_id, site_id, person_id, email, name, locale, state } = student;
  return {
    aggregate_id: student_id,
    aggregate_version: student.version,
    site_id,
    data: { student_id, site_id, person_id, email, name, locale, state, send_welcome_email },
  };
}

function missing(): Outcome {
  return new Outcome('not_found', 'There is no such student at this site');
}

const UNIQUE = { email: 'e-mail address', external_id: 'external id' } as const;

function taken(member: keyof typeof UNIQUE): Outcome {
  return new Outcome('already_exists', `Another student of this site has the ${UNIQUE[member]}`, {
    errors: [{ pointer: `/${member}`, code: 'already_exists', detail: 'Taken by another student' }],
  });
}
