import { Module } from '@nestjs/common';
import { RoleRepository } from './role.repository.js';
import { RoleService } from './role.service.js';

/** The roles of a caller, for features that a scope alone does not open. */
@Module({ providers: [RoleRepository, RoleService], exports: [RoleService] })
export class RoleLookupModule {}
