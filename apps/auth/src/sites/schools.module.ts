import { Module } from '@nestjs/common';
import { SchoolsConsumer } from './schools.consumer.js';
import { SitesModule } from './sites.module.js';

/** Consumes events of admin-api. Only the service imports it, because subcommands must not consume events. */
@Module({ imports: [SitesModule], providers: [SchoolsConsumer] })
export class SchoolsModule {}
