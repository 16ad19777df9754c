import { cancelRegistration, makeRegistration } from '@lyceum/contracts';
import type { OfSite, StudentReference } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { iso } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { z } from 'zod';
import type { EventRegistration } from '#src/event-registrations/registration.entity.js';
import { RegistrationService } from '#src/event-registrations/registration.service.js';
import type { RegistrationEdge } from '#src/event-registrations/registration.service.js';
import { EventTicketService } from '#src/event-tickets/event-ticket.service.js';
import { EventService } from '#src/events/event.service.js';
import { requireActiveStudent } from '#src/students/student.policy.js';
import { StudentService } from '#src/students/student.service.js';
import { SiteCommands } from './site-commands.js';

const MEMBERS: RegistrationEdge = { by: 'member', event: '/event', student: '/student', ticket: '/ticket' };

type Result = z.input<typeof makeRegistration.output>;

/** Registers students for events and cancels their registrations, through the service of the operator API. */
@Injectable()
export class RegistrationCommands implements OnModuleInit {
  constructor(
    private readonly commands: SiteCommands,
    private readonly students: StudentService,
    private readonly events: EventService,
    private readonly tickets: EventTicketService,
    private readonly registrations: RegistrationService,
  ) {}

  onModuleInit(): void {
    this.commands.handle(makeRegistration, async (site, { student, event, ticket }, tx) => {
      const { id: student_id } = await this.#student(site, student, tx);
      const { id: event_id } = await this.events.referred(site, event, tx);
      const named = ticket === null ? undefined : await this.tickets.referred(site, ticket, tx);
      if (ticket !== null && named?.event_id !== event_id) refuse('/ticket', 'A ticket of the event');
      const wanted = { student_id, ticket_id: named?.id ?? null, source: 'free' as const, external_id: null };
      return resultOf((await this.registrations.register(site, { event_id }, wanted, tx, MEMBERS)).row);
    });
    this.commands.handle(cancelRegistration, async (site, { student: reference, registration: { id } }, tx) => {
      const student = await this.#student(site, reference, tx);
      const { event_id, student_id } = await this.registrations.referred(site, id, tx);
      if (student_id !== student.id) refuse('/registration', 'A registration of this student');
      return resultOf((await this.registrations.cancel(site, { id, event_id }, tx, MEMBERS)).row);
    });
  }

  async #student(site: OfSite, reference: StudentReference, tx: EntityManager): Promise<{ readonly id: string }> {
    const student = await this.students.referred(site, reference, tx);
    requireActiveStudent(student.state);
    return student;
  }
}

/** @throws `not_found`: an object of another student or event looks like one that does not exist */
function refuse(pointer: string, detail: string): never {
  throw new ApiError('not_found', 'The command names an object that does not exist', {
    errors: [{ pointer, code: 'not_found', detail }],
  });
}

function resultOf({ id: registration_id, event_id, ticket_id, state, registered_at }: EventRegistration): Result {
  return { registration_id, event_id, ticket_id, state, registered_at: iso(registered_at) };
}
