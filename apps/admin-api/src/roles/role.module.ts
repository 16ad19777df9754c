import { Module } from '@nestjs/common';
import { MemberModule } from '#src/members/member.module.js';
import { RoleConsumer } from './role.consumer.js';

/** Consumes the events of auth. Only the service imports it, because subcommands must not consume events. */
@Module({ imports: [MemberModule], providers: [RoleConsumer] })
export class RoleModule {}
