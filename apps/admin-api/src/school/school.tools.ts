import { Outcome } from '@lyceum/errors';
import { SiteDirectory } from '@lyceum/resource-server';
import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { READS } from '@lyceum/rest';
import { schoolProfile } from './school.schema.js';
import type { SchoolProfile } from './school.schema.js';
import { SchoolService } from './school.service.js';

@Injectable()
export class SchoolTools {
  constructor(
    private readonly school: SchoolService,
    private readonly sites: SiteDirectory,
  ) {}

  @Tool({
    name: 'get_school_profile',
    title: 'Get the profile of the school',
    description:
      'Tells the name, language, time zone, currency and contacts of the school that this site belongs to. Use it ' +
      'first, to know where you are.',
    audience: 'public',
    scopes: [],
    toolset: 'school',
    core: true,
    input: z.object({}),
    output: schoolProfile,
    annotations: READS,
  })
  getSchoolProfile({ site_id }: ToolCall<Record<string, never>>): Promise<SchoolProfile> {
    const site = this.sites.byId(site_id);
    if (site?.state !== 'active') throw new Outcome('unknown_host', 'There is no such site');
    return this.school.profile(site);
  }
}
