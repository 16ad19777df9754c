import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { resendStudentInvitation } from '@lyceum/contracts';
import { Outbox, Requests } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
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
      const invited = (manager: EntityManager) => this.students.invited(manager, site_id, student);
      const { site } = await this.outbox.transaction(invited);
      if (dry_run) return {};
      await this.welcomes.forResent(site, student.email, (add) =>
        this.outbox.transaction(async (manager) => add(manager, (await invited(manager)).person)),
      );
      return {};
    });
  }
}
