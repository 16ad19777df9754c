import { READS } from '@lyceum/rest';
import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { publicSchool } from './school.schema.js';
import type { SchoolProfile } from './school.schema.js';
import { SchoolService } from './school.service.js';

@Injectable()
export class SchoolTools {
  constructor(private readonly school: SchoolService) {}

  @Tool({
    name: 'get_school_profile',
    title: 'Get the profile of the school',
    description:
      'Returns the name, language, time zone, currency and contacts of the school of this site. Use it first, to learn ' +
      'which school this is.',
    audience: 'public',
    scopes: [],
    toolset: 'school',
    core: true,
    input: z.object({}),
    output: publicSchool,
    annotations: READS,
  })
  getSchoolProfile({ site_id }: ToolCall<Record<string, never>>): Promise<SchoolProfile> {
    return this.school.profile({ site_id });
  }
}
