import { Module } from '@nestjs/common';
import { MemberRolesRepository } from './member-roles.repository.js';
import { MemberRoles } from './member-roles.service.js';

@Module({ providers: [MemberRolesRepository, MemberRoles], exports: [MemberRoles] })
export class MemberRolesModule {}
