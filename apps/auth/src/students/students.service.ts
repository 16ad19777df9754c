import { Injectable, Logger } from '@nestjs/common';
import type { EventOf } from '@lyceum/messaging';
import type { studentEvents } from '@lyceum/contracts';
import type { EntityManager } from 'typeorm';
import { InvitationsService } from '#src/invitations/invitations.service.js';
import { PeopleService } from '#src/people/people.service.js';
import { RolesService } from '#src/roles/roles.service.js';
import { SitesService } from '#src/sites/sites.service.js';
import { StudentsRepository } from './students.repository.js';

export type StudentEvent = EventOf<[typeof studentEvents]>;

/** The school's students as people of this context: whoever is a student there has the role here. */
@Injectable()
export class StudentsService {
  readonly #logger = new Logger(StudentsService.name);

  constructor(
    private readonly students: StudentsRepository,
    private readonly sites: SitesService,
    private readonly people: PeopleService,
    private readonly roles: RolesService,
    private readonly invitations: InvitationsService,
  ) {}

  async apply(event: StudentEvent, manager: EntityManager): Promise<void> {
    const { data, aggregate_version: version } = event;
    const { student_id, site_id, state } = data;
    const site = await this.sites.byId(site_id);
    if (site === undefined) throw new Error(`There is no site ${site_id}`);
    const applied = await this.students.lock(manager, student_id);
    if (applied !== undefined && applied.version >= version) return;
    const { person } = await this.people.findOrCreate(manager, data);
    if (!(await this.students.save(manager, { student_id, site_id, person_id: person.person_id, version }))) return;
    if (state === 'removed') {
      await this.roles.remove(manager, site_id, person, 'student');
      return;
    }
    // A student whose person the school does not know yet is told even if nothing changes here.
    const joined = await this.roles.add(manager, site_id, person, 'student', data.person_id === null);
    if (!joined || !data.send_welcome_email) return;
    await this.invitations.welcome(manager, site, person);
    this.#logger.debug(`student ${student_id} was welcomed`);
  }
}
