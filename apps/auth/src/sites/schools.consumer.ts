import { Injectable } from '@nestjs/common';
import { schoolEvents } from '@lyceum/contracts';
import { ConsumesEach } from '@lyceum/messaging';
import type { EventOf } from '@lyceum/messaging';
import type { EntityManager } from 'typeorm';
import { SitesService } from './sites.service.js';

type SchoolEvent = EventOf<[typeof schoolEvents]>;

/** Applies the name, language, time zone and features that schools set to their sites: see ADR 75. */
@Injectable()
export class SchoolsConsumer {
  constructor(private readonly sites: SitesService) {}

  @ConsumesEach(schoolEvents, 'schools')
  async save({ data, epoch, aggregate_version: version }: SchoolEvent, tx: EntityManager): Promise<void> {
    const { site_id, name, locale, timezone, features } = data;
    const { mcp_connections } = features;
    await this.sites.followSchool(tx, site_id, { epoch, version, name, mcp_connections, locale, timezone });
  }
}
