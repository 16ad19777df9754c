import { Resource } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { publicSchool } from '#src/school/school.schema.js';
import { SchoolService } from '#src/school/school.service.js';
import { CatalogService } from './catalog.service.js';

/** The count stops here: the number is for people, and its cost must not grow with the site. */
const COUNTED = 1_000;

const output = z.object({
  slug: z.string(),
  ...publicSchool.shape,
  published_courses: z.int().max(COUNTED).describe(`At most ${COUNTED} are counted`),
});

@Injectable()
export class SchoolResources {
  constructor(
    private readonly school: SchoolService,
    private readonly catalog: CatalogService,
  ) {}

  @Resource({
    name: 'school_profile',
    uri: 'school://profile',
    title: 'School profile',
    description: 'Name, address and contacts of the school of this site, and how many courses can be found here.',
    audience: 'public',
    scopes: [],
    toolset: 'school',
    input: z.object({}),
    output,
  })
  async profile({ site_id }: ToolCall<unknown>): Promise<z.infer<typeof output>> {
    const site = this.school.site({ site_id });
    const [profile, published_courses] = await Promise.all([
      this.school.profile(site),
      this.catalog.countCourses(site, COUNTED),
    ]);
    return { slug: site.slug, ...profile, published_courses };
  }
}
