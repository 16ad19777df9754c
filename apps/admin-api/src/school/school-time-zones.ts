import { SiteTimeZones } from '@lyceum/platform';
import { Injectable } from '@nestjs/common';
import { SchoolRepository } from './school.repository.js';

/** Dates in requests begin in the time zone of the school. */
@Injectable()
export class SchoolTimeZones extends SiteTimeZones {
  constructor(private readonly schools: SchoolRepository) {
    super();
  }

  async of(site_id: string): Promise<string> {
    return (await this.schools.timezone({ site_id })) ?? 'UTC';
  }
}
