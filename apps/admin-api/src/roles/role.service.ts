import type { Principal } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import { RoleRepository } from './role.repository.js';

@Injectable()
export class RoleService {
  constructor(private readonly roles: RoleRepository) {}

  /** True for owners and admins of the site. */
  async isAdministrator(principal: Pick<Principal, 'site_id' | 'person_id'>): Promise<boolean> {
    const roles = await this.roles.of(principal);
    return roles.includes('owner') || roles.includes('admin');
  }
}
