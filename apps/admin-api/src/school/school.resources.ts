import { Outcome } from '@lyceum/errors';
import { SiteDirectory } from '@lyceum/resource-server';
import { Resource } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { CatalogService } from '#src/catalog/catalog.service.js';
import { schoolProfile } from './school.schema.js';
import { SchoolService } from './school.service.js';

/** More courses than these are not counted: the number is for people, and must not cost more as the site grows. */
const COUNTED = 1_000;

const output = z.object({
  slug: z.string(),
  ...schoolProfile.shape,
  published_courses: z.int().max(COUNTED).describe(`At most ${COUNTED} are counted`),
});

@Injectable()
export class SchoolResources {
  constructor(
    private readonly sites: SiteDirectory,
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
    const site = this.sites.byId(site_id);
    if (site?.state !== 'active') throw new Outcome('unknown_host', 'There is no such site');
    const [profile, published_courses] = await Promise.all([
      this.school.profile(site),
      this.catalog.countCourses(site, COUNTED),
    ]);
    return { slug: site.slug, ...profile, published_courses };
  }
}
