import type { Principal } from '@lyceum/contracts';
import { Injectable } from '@nestjs/common';
import { AppearanceService } from '#src/appearance/appearance.service.js';
import { LecturerService } from '#src/lecturers/lecturer.service.js';
import { SchoolService } from '#src/school/school.service.js';
import type { SiteSeed } from './seed.schema.js';

/** The profile of a school. */
@Injectable()
export class ProfileSeed {
  constructor(
    private readonly school: SchoolService,
    private readonly lecturers: LecturerService,
    private readonly appearance: AppearanceService,
  ) {}

  async apply(principal: Principal, site: Pick<SiteSeed, 'school' | 'lecturers' | 'appearance'>): Promise<void> {
    if (site.school !== undefined) await this.school.declare(principal, site.school);
    if (site.appearance !== undefined) await this.appearance.declare(principal, site.appearance);
    for (const lecturer of site.lecturers) await this.lecturers.declare(principal, lecturer);
  }
}
