import { Injectable } from '@nestjs/common';
import { schoolEvents } from '@lyceum/contracts';
import { ConsumesEach } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { SitesService } from './sites.service.js';

type SchoolEvent = EventOf<[typeof schoolEvents]>;

/** Applies the name, language, time zone, features and URL template that schools set to their sites: see ADR 75. */
@Injectable()
export class SchoolsConsumer {
  constructor(private readonly sites: SitesService) {}

  @ConsumesEach(schoolEvents, 'schools')
  async save({ data, epoch, aggregate_version: version }: SchoolEvent, tx: EntityManager): Promise<void> {
    const { site_id, name, locale, timezone, features, url_templates } = data;
    const { mcp_connections } = features;
    const { course: course_url } = url_templates;
    const school = { epoch, version, name, mcp_connections, locale, timezone, course_url };
    await this.sites.followSchool(tx, site_id, school);
  }
}
