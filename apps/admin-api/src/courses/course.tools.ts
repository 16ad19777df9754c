import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Outcome } from '@lyceum/errors';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { searchText } from '#src/paging/list-query.js';
import { itemsOf, toolPage } from '#src/paging/tool-page.js';
import { instantOut, iso, slug } from '#src/validation/fields.js';

import { COURSE_STATES, COURSE_TYPES } from './course.policy.js';
import { CourseService } from './course.service.js';
import { cutDescription } from './description.policy.js';

/** Characters of a description that a result carries: at three bytes each they leave room in the 60 KB of a result. */
const DESCRIPTION_LENGTH = 10_000;

const catalogItem = z.object({
  slug: z.string(),
  name: z.string(),
  subtitle: z.string().nullable(),
  course_type: z.enum(COURSE_TYPES),
  featured: z.boolean(),
  tags: z.array(z.string()),
});

const searchInput = z.object({ q: searchText.optional().describe('Part of the name or slug'), ...toolPage });
const getInput = z.object({ slug: slug.describe('The course, as search_catalog names it') });

const publishedCourse = z.object({
  slug: z.string(),
  name: z.string(),
  subtitle: z.string().nullable(),
  description_html: z.string().nullable(),
  description_truncated: z.boolean().describe('The description goes on beyond what is here'),
  image_url: z.string().nullable(),
  course_type: z.enum(COURSE_TYPES),
  tags: z.array(z.string()),
  published_at: instantOut.nullable(),
});

const listInput = z.object({
  q: searchText.optional().describe('Part of the name or slug'),
  state: z.enum(COURSE_STATES).optional(),
  ...toolPage,
});

const courseItem = z.object({
  id: z.uuid(),
  slug: z.string(),
  name: z.string(),
  state: z.enum(COURSE_STATES),
  course_type: z.enum(COURSE_TYPES),
  hidden: z.boolean(),
  enrollments_count: z.int(),
  published_at: instantOut.nullable(),
  updated_at: instantOut,
});

const READING = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

@Injectable()
export class CourseTools {
  constructor(private readonly courses: CourseService) {}

  @Tool({
    name: 'search_catalog',
    title: 'Search the catalogue',
    description:
      'Lists the published courses of this site by name, all of them or those whose name has a text in it. Use it to ' +
      'find out what can be learned here; use get_course for the description of one.',
    audience: 'public',
    scopes: [],
    toolset: 'courses',
    input: searchInput,
    output: itemsOf(catalogItem),
    annotations: READING,
  })
  async searchCatalog({ input, site_id }: ToolCall<z.infer<typeof searchInput>>): Promise<object> {
    const query = { q: input.q, cursor: input.after, limit: input.first };
    const page = await this.courses.searchCatalog({ site_id }, query);
    return { items: page.rows, next_cursor: page.next };
  }

  @Tool({
    name: 'get_course',
    title: 'Get a course',
    description:
      'Describes one published course of this site. Use it when you know the slug, for instance from search_catalog.',
    audience: 'public',
    scopes: [],
    toolset: 'courses',
    input: getInput,
    output: publishedCourse,
    annotations: READING,
  })
  async getCourse({ input, site_id }: ToolCall<z.infer<typeof getInput>>): Promise<z.infer<typeof publishedCourse>> {
    const course = await this.courses.getPublished({ site_id }, input.slug);
    const html = course.description_html;
    return {
      slug: course.slug,
      name: course.name,
      subtitle: course.subtitle,
      description_html: html === null ? null : cutDescription(html, DESCRIPTION_LENGTH),
      description_truncated: html !== null && html.length > DESCRIPTION_LENGTH,
      image_url: course.image_url,
      course_type: course.course_type,
      tags: course.tags,
      published_at: iso(course.published_at),
    };
  }

  @Tool({
    name: 'list_courses',
    title: 'List all courses',
    description:
      'Lists the courses of this site for its operators, drafts and archived ones included, newest first. Use it to ' +
      'manage courses; use search_catalog for what visitors see.',
    audience: 'operator',
    scopes: ['courses:read'],
    input: listInput,
    output: itemsOf(courseItem),
    annotations: READING,
  })
  async listCourses({ input, principal }: ToolCall<z.infer<typeof listInput>>): Promise<object> {
    if (principal === null) throw new Outcome('invalid_token', 'This tool needs an operator');
    const { first, after, q, state } = input;
    const query = { limit: first, cursor: after, q, state, sort: '-created_at', include_total: false } as const;
    const page = await this.courses.list(principal, query);
    const items = page.rows.map((row) => ({
      ...row,
      published_at: iso(row.published_at),
      updated_at: iso(row.updated_at),
    }));
    return { items, next_cursor: page.next };
  }
}
