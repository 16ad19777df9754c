import { READS, cutDescription, searchText, toolItems } from '@lyceum/rest';
import { Tool, itemsOf, toolPage } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { lecturer } from './lecturer.schema.js';
import { LecturerService } from './lecturer.service.js';

/** Characters of a biography in a list. */
const BIO_LENGTH = 300;

const listInput = z.object({ q: searchText.optional().describe('Words that all occur in the name'), ...toolPage });

const { slug, name, title, avatar_url, social_links } = lecturer.object.shape;
const bio_html = z.string().nullable().describe('The beginning of the biography');
const listOutput = itemsOf(z.object({ slug, name, title, bio_html, avatar_url, social_links }));

@Injectable()
export class PublicLecturerTools {
  constructor(private readonly lecturers: LecturerService) {}

  @Tool({
    name: 'browse_lecturers',
    title: 'Browse lecturers',
    description:
      'Lists the lecturers that this site shows, by name, with the beginning of their biographies. Use it to find out ' +
      'who teaches here.',
    audience: 'public',
    scopes: [],
    toolset: 'lecturers',
    input: listInput,
    output: listOutput,
    annotations: READS,
  })
  browseLecturers({ input, site_id }: ToolCall<z.infer<typeof listInput>>): Promise<object> {
    const query = { q: input.q, limit: input.first, cursor: input.after };
    return toolItems(this.lecturers.listVisible({ site_id }, query), (row) => {
      const bio = row.bio_html === null ? null : cutDescription(row.bio_html, BIO_LENGTH);
      return {
        slug: row.slug,
        name: row.name,
        title: row.title,
        bio_html: bio,
        avatar_url: row.avatar_url,
        social_links: row.social_links,
      };
    });
  }
}
