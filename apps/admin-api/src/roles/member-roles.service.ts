import type { Role } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import { MemberRolesRepository } from './member-roles.repository.js';

/** Reads the current roles of a member for jobs, which run without a token. */
@Injectable()
export class MemberRoles {
  constructor(private readonly roles: MemberRolesRepository) {}

  /** Returns the roles that auth published last; none for an unknown, suspended or removed member. */
  of(site: { readonly site_id: string }, member_id: string): Promise<Role[]> {
    return this.roles.find(site, member_id);
  }
}
