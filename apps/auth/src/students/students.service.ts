import { Injectable } from '@nestjs/common';
import { eventType, isNewerState, studentEvents } from '@lyceum/contracts';
import type { EventOf } from '@lyceum/messaging';
import { ApiError } from '@lyceum/errors';
import type { EntityManager } from 'typeorm';
import { canonicalEmail } from '#src/people/email.policy.js';
import { WelcomeMails } from '#src/invitations/welcome-mails.js';
import { PeopleService } from '#src/people/people.service.js';
import type { Person } from '#src/people/person.js';
import { MembersService } from '#src/members/members.service.js';
import type { SiteRecord } from '#src/sites/site.js';
import { SitesService } from '#src/sites/sites.service.js';
import { requireInvited } from './resend-invitation.policy.js';
import { StudentsRepository } from './students.repository.js';
import type { AppliedStudent } from './students.repository.js';

export type StudentEvent = EventOf<[typeof studentEvents]>;

const DELETED = eventType(studentEvents, 'deleted');

/**
 * The school's students as people of this context: a student has the role here. A student whose address the school
 * corrects becomes the person of the new address. The account of the previous person stays unchanged (ADR 28).
 */
@Injectable()
export class StudentsService {
  constructor(
    private readonly students: StudentsRepository,
    private readonly sites: SitesService,
    private readonly people: PeopleService,
    private readonly members: MembersService,
    private readonly welcomes: WelcomeMails,
  ) {}

  async apply(event: StudentEvent, manager: EntityManager): Promise<void> {
    const { data, epoch, aggregate_version: version } = event;
    const { student_id, site_id, state } = data;
    const site = await this.sites.byId(site_id, manager);
    if (site === undefined) throw new Error(`The site ${site_id} does not exist`);
    const applied = await this.students.lock(manager, student_id);
    if (applied !== undefined && !isNewerState({ epoch, version }, applied)) return;
    if (event.type === DELETED || (await this.#isWithoutPerson(manager, data, applied)))
      return this.#end(manager, event);
    const person = await this.#personOf(manager, data, applied);
    // The event that erases the student is on its way, and stores its position.
    if (person === undefined) return;
    const student = { student_id, site_id, person_id: person.person_id, epoch, version };
    if (!(await this.students.save(manager, student))) return;
    const [from, to] = [applied?.person_id ?? null, person.person_id];
    const moved = await this.#leave(manager, { student_id, site_id, from, to });
    if (state === 'removed') {
      await this.members.remove(manager, site_id, person, 'student', { student_id });
      return;
    }
    // The school links the student by this event, so it is published even for an existing role.
    const notify = data.person_id === null;
    const joined = await this.members.add(manager, site_id, person, 'student', { notify, student_id, profile: data });
    const uninvited = moved && !(await this.people.hasPassword(manager, person.person_id));
    if (!uninvited && !(joined && data.send_welcome_email)) return;
    await this.welcomes.add(manager, site, person);
  }

  /**
   * Stores the position: an earlier event that is tried again would bring the address and the role back. Ends the link:
   * a person who returns is another student.
   */
  async applyErasure({ data, epoch, aggregate_version: version }: StudentEvent, manager: EntityManager): Promise<void> {
    const { student_id, site_id } = data;
    await this.students.lock(manager, student_id);
    await this.students.unlink(manager, { student_id, site_id, epoch, version });
  }

  /**
   * Returns the person of a student who has not signed in at the site. The result depends only on the membership there.
   *
   * @throws `invalid_state`; `temporarily_unavailable` while an event of the student is on its way
   */
  async invited(
    manager: EntityManager,
    siteId: string,
    { student_id, email }: { readonly student_id: string; readonly email: string },
  ): Promise<{ readonly site: SiteRecord; readonly person: Person }> {
    const site = await this.sites.byId(siteId, manager);
    const personId = await this.students.personOf(manager, siteId, student_id);
    const person = personId === undefined ? undefined : await this.people.hold(manager, personId);
    const state = person && (await this.members.stateOf(siteId, person.person_id, manager));
    // The student exists at the school, so the event of the student or the address has not arrived yet.
    if (!site || !person || state === undefined || person.email !== canonicalEmail(email)) {
      throw new ApiError('temporarily_unavailable', 'The account of the student is not ready', { retryAfter: 1 });
    }
    requireInvited(state);
    return { site, person };
  }

  /**
   * Takes the role, and creates nothing: the events from before a deletion are erased, so it can be the first one. Its
   * position stays, because an event that was delivered before the erasure can be retried after it.
   */
  async #end(manager: EntityManager, { data, epoch, aggregate_version: version }: StudentEvent): Promise<void> {
    const { student_id, site_id } = data;
    // Before the position, as for other events: two replicas with events of one student do not deadlock.
    const namesake = await this.people.holdByEmail(manager, data.email);
    const former = await this.students.unlink(manager, { student_id, site_id, epoch, version });
    if (former === undefined) return;
    const had = former.person_id;
    const known = had ?? data.person_id;
    const person = known === null ? namesake : await this.people.hold(manager, known);
    if (person === undefined || person.state === 'deleted') return;
    const isMember = had !== null || (await this.members.stateOf(site_id, person.person_id, manager)) !== undefined;
    if (isMember) await this.#takeRole(manager, { student_id, site_id }, person);
  }

  async #takeRole(
    manager: EntityManager,
    { student_id, site_id }: { readonly student_id: string; readonly site_id: string },
    person: Person,
  ): Promise<void> {
    const { person_id } = person;
    // Another student may have become this person a moment ago and given them the role.
    if (await this.students.isSomeoneElse(manager, { student_id, site_id, person_id })) return;
    await this.members.remove(manager, site_id, person, 'student', { student_id });
  }

  /** True for a removed student whose address is not that of the person so far. A restore publishes it again. */
  async #isWithoutPerson(
    manager: EntityManager,
    { state, person_id, email }: StudentEvent['data'],
    applied: AppliedStudent | undefined,
  ): Promise<boolean> {
    const had = applied?.person_id ?? null;
    if (state !== 'removed' || (had !== null && person_id === had)) return false;
    return had === null || (await this.people.holdByEmail(manager, email))?.person_id !== had;
  }

  /**
   * The school links a student to a person, and ends the link when it corrects the address or erases the student. An
   * event with the link may have an earlier address of the person, who has changed it. Undefined when the person was
   * erased after the event.
   */
  async #personOf(
    manager: EntityManager,
    data: StudentEvent['data'],
    applied: AppliedStudent | undefined,
  ): Promise<Person | undefined> {
    const { site_id, person_id } = data;
    if (person_id === null || person_id !== applied?.person_id)
      return (await this.people.findOrCreate(manager, data)).person;
    const known = await this.people.hold(manager, person_id);
    const { erased_at } = await this.members.hold(manager, site_id, person_id);
    return known?.state === 'deleted' || erased_at !== null ? undefined : known;
  }

  /** Removes the role from the student's previous person. True when the student has become another person. */
  async #leave(
    manager: EntityManager,
    { student_id, site_id, from, to }: { student_id: string; site_id: string; from: string | null; to: string },
  ): Promise<boolean> {
    if (from === null || from === to) return false;
    const former = await this.people.hold(manager, from);
    if (former === undefined || former.state === 'deleted') return false;
    await this.#takeRole(manager, { student_id, site_id }, former);
    await this.members.recordMove(manager, site_id, { student_id, from, to });
    return true;
  }
}
