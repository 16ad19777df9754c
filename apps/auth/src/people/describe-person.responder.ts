import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { describePerson, orderRoles } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Requests } from '@lyceum/messaging';
import { PeopleService } from './people.service.js';

/** Describes principals to other services. A site can query only people who have a role there. */
@Injectable()
export class DescribePersonResponder implements OnModuleInit {
  constructor(
    private readonly requests: Requests,
    private readonly people: PeopleService,
  ) {}

  onModuleInit(): void {
    this.requests.handle(describePerson, async ({ person_id, site_id }, caller) => {
      if (site_id !== caller.site_id)
        throw new ApiError('forbidden', 'The request names another site than its principal');
      const person = await this.people.atSite(person_id, site_id);
      if (person === undefined || person.roles.length === 0) {
        throw new ApiError('not_found', 'No person with this id has a role at this site');
      }
      const { name, email, picture, roles } = person;
      return { name, email, picture, roles: orderRoles(roles) };
    });
  }
}
