import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { resendStudentInvitation } from '@lyceum/contracts';
import { Outbox, Requests } from '@lyceum/messaging';
import { RateLimiter } from '@lyceum/rate-limit';
import { LIMITS, recipient } from '#src/limits/limits.js';
import { StudentsService } from './students.service.js';

/**
 * Mails the invitation of a student again at the request of the school. A person with a password from another site gets
 * a mail without a link. The response is the same, so it does not reveal the other site.
 */
@Injectable()
export class ResendInvitationResponder implements OnModuleInit {
  constructor(
    private readonly requests: Requests,
    private readonly students: StudentsService,
    private readonly limits: RateLimiter,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.requests.handle(resendStudentInvitation, async ({ dry_run, ...student }, { site_id }) => {
      await this.outbox.transaction((manager) => this.students.invited(manager, site_id, student));
      if (dry_run) return {};
      // The lease of a limit takes a connection of its own, so no transaction may hold one meanwhile.
      await this.limits.take(LIMITS.invitations, recipient(site_id, student.email));
      await this.outbox.transaction(async (manager) => {
        const { site, person } = await this.students.invited(manager, site_id, student);
        await this.students.welcome(manager, site, person);
      });
      return {};
    });
  }
}
