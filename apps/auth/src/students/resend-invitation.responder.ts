import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { resendStudentInvitation } from '@lyceum/contracts';
import { Outbox, Requests } from '@lyceum/messaging';
import { WelcomeMails } from '#src/invitations/welcome-mails.js';
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
    private readonly welcomes: WelcomeMails,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.requests.handle(resendStudentInvitation, async ({ dry_run, ...student }, { site_id }) => {
      await this.outbox.transaction(async (manager) => {
        const { site, person } = await this.students.invited(manager, site_id, student);
        if (!dry_run) await this.welcomes.resend(manager, site, person);
      });
      return {};
    });
  }
}
