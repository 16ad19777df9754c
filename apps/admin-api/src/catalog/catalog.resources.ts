import type { CompletionInput, CompletionOutput } from '@lyceum/contracts';
import { Completion, Resource } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { searchText } from '@lyceum/rest';
import { CatalogItemService } from './catalog-item.service.js';
import { CatalogService } from './catalog.service.js';
import { publicCourse, publicCourseInput } from './public-course.view.js';

/** Slugs of one completion: a person picks from them. */
const COMPLETIONS = 20;

@Injectable()
export class CatalogResources {
  constructor(
    private readonly items: CatalogItemService,
    private readonly catalog: CatalogService,
  ) {}

  @Resource({
    name: 'course',
    uri: 'school://courses/{slug}',
    title: 'Course',
    description: 'One published course of this site, as visitors see it.',
    audience: 'public',
    scopes: [],
    toolset: 'courses',
    input: publicCourseInput,
    output: publicCourse,
  })
  course({ input, site_id }: ToolCall<z.infer<typeof publicCourseInput>>): Promise<object> {
    return this.items.publishedCourse({ site_id }, input.slug);
  }

  /** Finds slugs by a part of the slug or the name, as browse_catalog does. */
  @Completion({ of: 'course', argument: 'slug' })
  async completeSlug({ input, site_id }: ToolCall<CompletionInput>): Promise<CompletionOutput> {
    const q = input.value === '' ? undefined : searchText.safeParse(input.value).data;
    // Nothing has a name that may not be searched for.
    if (q === undefined && input.value !== '') return { values: [], has_more: false };
    const { rows, next } = await this.catalog.search(
      { site_id },
      { q, type: 'course', cursor: undefined, limit: COMPLETIONS },
    );
    return { values: rows.map(({ slug }) => slug), has_more: next !== null };
  }
}
