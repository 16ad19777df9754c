import { Injectable } from '@nestjs/common';
import { MembershipService } from '#src/members/membership.service.js';
import { ImportRepository } from './import.repository.js';

/** Erases the values of faults when a member of the site is removed. A fault does not say whose value it has. */
@Injectable()
export class ImportErasure {
  constructor(memberships: MembershipService, imports: ImportRepository) {
    memberships.erased.add((tx, person) => imports.eraseValues(tx, person));
  }
}
