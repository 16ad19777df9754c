import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import {
  READS,
  cutDescription,
  itemsOf,
  newestFirst,
  operatorOf,
  searchText,
  shownDescription,
  toolItems,
  toolPage,
} from '@lyceum/rest';
import { lecturerView } from './lecturer.api.schema.js';
import { publicLecturer } from './lecturer.schema.js';
import { LecturerService } from './lecturer.service.js';
import { viewLecturerSummary } from './lecturer.view.js';

/** Characters of a bio in a list. */
const BIO_LENGTH = 300;

const listInput = z.object({ q: searchText.optional().describe('Words that all occur in the name'), ...toolPage });

const allInput = z.object({
  q: searchText.optional().describe('Words that all occur in the name'),
  visible: z.boolean().optional().describe('Only those whom visitors see, or only those whom they do not'),
  ...toolPage,
});
const allOutput = itemsOf(
  lecturerView.pick({
    id: true,
    slug: true,
    name: true,
    email: true,
    person_id: true,
    position: true,
    visible: true,
    updated_at: true,
  }),
);
const detailsInput = z.object({
  id: z.uuid().toLowerCase().describe('Id of the lecturer; list_all_lecturers has it'),
});
const details = z.object({
  ...lecturerView.shape,
  bio_truncated: z.boolean().describe('The bio goes on beyond what is here'),
});

const OPERATORS = { audience: 'operator', scopes: ['lecturers:read'] } as const;

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
  listLecturers({ input, site_id }: ToolCall<z.infer<typeof listInput>>): Promise<object> {
    const query = { q: input.q, limit: input.first, cursor: input.after };
    return toolItems(this.lecturers.listVisible({ site_id }, query), ({ bio_html, ...row }) => ({
      ...row,
      bio_html: bio_html === null ? null : cutDescription(bio_html, BIO_LENGTH),
    }));
  }

  @Tool({
    ...OPERATORS,
    name: 'list_all_lecturers',
    title: 'List all lecturers',
    description:
      'Lists the lecturers of this site for its operators, hidden ones included, newest first, with their e-mail ' +
      'addresses. Use it to manage lecturers; use list_lecturers for what visitors see.',
    input: allInput,
    output: allOutput,
    annotations: READS,
  })
  listAllLecturers(call: ToolCall<z.infer<typeof allInput>>): Promise<object> {
    return toolItems(this.lecturers.list(operatorOf(call), newestFirst(call.input)), viewLecturerSummary);
  }

  @Tool({
    ...OPERATORS,
    name: 'get_lecturer_details',
    title: 'Get a lecturer as operators see them',
    description:
      'Reads one lecturer, with title, links and what they say of themselves. Use it when you know the id from ' +
      'list_all_lecturers.',
    input: detailsInput,
    output: details,
    annotations: READS,
  })
  async getLecturerDetails(call: ToolCall<z.infer<typeof detailsInput>>): Promise<object> {
    const row = await this.lecturers.get(operatorOf(call), call.input.id);
    const { description_html: bio_html, description_truncated: bio_truncated } = shownDescription(row.bio_html);
    return { ...viewLecturerSummary(row), bio_html, bio_truncated };
  }
}
