import { READS } from '@lyceum/rest';
import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { CatalogItemService } from './catalog-item.service.js';
import { publicCourse, publicCourseInput } from './public-course.view.js';

@Injectable()
export class PublicCourseTools {
  constructor(private readonly items: CatalogItemService) {}

  @Tool({
    name: 'browse_course',
    title: 'Browse a course',
    description:
      'Describes one published course of this site, with its prices. Use it with a known slug, for instance from ' +
      'browse_catalog.',
    audience: 'public',
    scopes: [],
    toolset: 'courses',
    input: publicCourseInput,
    output: publicCourse,
    annotations: READS,
  })
  browseCourse({ input, site_id }: ToolCall<z.infer<typeof publicCourseInput>>): Promise<object> {
    return this.items.publishedCourse({ site_id }, input.slug);
  }
}
