import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { cutDescription } from '#src/descriptions/description.policy.js';
import { searchText } from '#src/paging/list-query.js';
import { itemsOf, toolPage } from '#src/paging/tool-page.js';
import { READS } from '#src/tool-calls/hints.js';
import { publicLecturer } from './lecturer.schema.js';
import { LecturerService } from './lecturer.service.js';

/** Characters of a bio in a list. */
const BIO_LENGTH = 300;

const listInput = z.object({ q: searchText.optional().describe('Part of the name'), ...toolPage });

@Injectable()
export class LecturerTools {
  constructor(private readonly lecturers: LecturerService) {}

  @Tool({
    name: 'list_lecturers',
    title: 'List lecturers',
    description:
      'Lists the lecturers whom this site shows, by name, with the beginning of what they say of themselves. Use it to ' +
      'find out who teaches here.',
    audience: 'public',
    scopes: [],
    toolset: 'lecturers',
    input: listInput,
    output: itemsOf(publicLecturer),
    annotations: READS,
  })
  async listLecturers({ input, site_id }: ToolCall<z.infer<typeof listInput>>): Promise<object> {
    const query = { q: input.q, limit: input.first, cursor: input.after };
    const page = await this.lecturers.listVisible({ site_id }, query);
    const items = page.rows.map(({ bio_html, ...row }) => ({
      ...row,
      bio_html: bio_html === null ? null : cutDescription(bio_html, BIO_LENGTH),
    }));
    return { items, next_cursor: page.next };
  }
}
