import { BulkOf, Collection, Create, Delete, Get, List, Update, Upsert } from '@lyceum/collections';
import type {
  ChangeRequest,
  CreateRequest,
  Created,
  ListRequest,
  ObjectRequest,
  UpsertRequest,
  Written,
} from '@lyceum/collections';
import type { ApiError } from '@lyceum/errors';
import { rowTag } from '@lyceum/rest';
import type { Page } from '@lyceum/rest';
import { Injectable } from '@nestjs/common';
import type { Section } from './section.entity.js';
import { section } from './section.schema.js';
import type { SectionCreate, SectionListQuery, SectionPatch } from './section.schema.js';
import { SectionService } from './section.service.js';

@Collection<Section>({
  name: 'sections',
  scope: 'curriculum',
  resource: section,
  etag: ({ version }) => rowTag(version),
})
@Injectable()
export class SectionOperations {
  constructor(private readonly sections: SectionService) {}

  @List('listSections', {
    summary: 'List sections',
    description:
      'Returns sections of all courses. `course_id` keeps those of one; its curriculum has them in their order.',
  })
  list({ principal, query }: ListRequest<SectionListQuery>): Promise<Page<Section>> {
    return this.sections.list(principal, query);
  }

  @Get('getSection', { summary: 'Get a section', description: 'Returns a section without its lectures.' })
  get({ principal, id }: ObjectRequest): Promise<Section> {
    return this.sections.get(principal, id);
  }

  @Create('createSection', {
    summary: 'Create a section',
    description: 'Adds a section after the last one of the course. A course has at most 50 sections.',
    problems: ['already_exists', 'invalid_state', 'not_found'],
    tool: {
      core: true,
      description:
        'Adds a section after the last one of a course. Use it to build a curriculum; create_lecture fills the section.',
    },
  })
  create({ principal, body, tx }: CreateRequest<SectionCreate>): Promise<Created<Section>> {
    return this.sections.create(principal, body, tx);
  }

  @BulkOf('createSections', {
    summary: 'Create sections',
    description:
      'Adds up to 200 sections in their order, each after the last one of its course: all of them or none with `atomic`, ' +
      'else each by itself.',
    body: section.create,
  })
  createAll({
    principal,
    body,
    tx,
  }: CreateRequest<readonly SectionCreate[]>): Promise<readonly (Created<Section> | ApiError)[]> {
    return this.sections.createAll(principal, body, tx);
  }

  @Upsert('putSection', {
    summary: 'Create or update a section',
    description: 'Creates the section of the `external_id`, or changes the fields that the body names.',
    problems: ['already_exists', 'invalid_state', 'not_found'],
  })
  put(request: UpsertRequest<SectionCreate, SectionPatch>): Promise<Created<Section>> {
    return this.sections.upsert(request);
  }

  @Update('updateSection', {
    summary: 'Update a section',
    description: 'JSON Merge Patch (RFC 7396): absent fields stay, null clears. The course must not be archived.',
    problems: ['already_exists', 'invalid_state'],
    tool: {
      description:
        'Changes the title, the drip days or the opening date of a section. Use it to rename a section or to open it ' +
        'later; ' +
        'reorder_curriculum moves it.',
    },
  })
  update({ principal, body, tx, ...key }: ChangeRequest<SectionPatch>): Promise<Written<Section>> {
    return this.sections.patch(principal, key, body, tx);
  }

  @Delete('deleteSection', {
    summary: 'Delete a section',
    description: 'Only without lectures.',
    problems: ['invalid_state', 'resource_in_use'],
    tool: { description: 'Deletes a section without lectures. Use it for a section that is empty or a mistake.' },
  })
  remove({ principal, tx, ...key }: ChangeRequest): Promise<Written<Section>> {
    return this.sections.remove(principal, key, tx);
  }
}
