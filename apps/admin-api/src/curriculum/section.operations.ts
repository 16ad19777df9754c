import { collection } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { Section } from './section.entity.js';
import { section } from './section.schema.js';
import { SectionService } from './section.service.js';

export const sectionCollection = collection({
  name: 'sections',
  scope: 'curriculum',
  service: SectionService,
  row: Section,
  resource: section,
  etag: ({ version }) => rowTag(version),
  operations: {
    list: {
      id: 'listSections',
      summary: 'List sections',
      description:
        'Returns sections of all courses. `course_id` keeps those of one; its curriculum has them in their order.',
      run: (sections, { principal, query }) => sections.list(principal, query),
    },
    get: {
      id: 'getSection',
      summary: 'Get a section',
      description: 'Returns a section without its lectures.',
      run: (sections, { principal, id }) => sections.get(principal, id),
    },
    create: {
      id: 'createSection',
      summary: 'Create a section',
      description: 'Adds a section after the last one of the course. A course has at most 50 sections.',
      problems: ['already_exists', 'invalid_state', 'not_found'],
      tool: {
        core: true,
        description:
          'Adds a section after the last one of a course. Use it to build a curriculum; create_lecture fills the section.',
      },
      run: (sections, { principal, body, tx }) => sections.create(principal, body, tx),
    },
    bulk: {
      id: 'createSections',
      summary: 'Create sections',
      description:
        'Adds up to 200 sections in their order, each after the last one of its course: all of them or none with `atomic`, ' +
        'else each by itself.',
      body: section.create,
      run: (sections, { principal, body, tx }) => sections.createAll(principal, body, tx),
    },
    upsert: {
      id: 'putSection',
      summary: 'Create or update a section',
      description: 'Creates the section of the `external_id`, or changes the fields that the body names.',
      problems: ['already_exists', 'invalid_state', 'not_found'],
      run: (sections, request) => sections.upsert(request),
    },
    update: {
      id: 'updateSection',
      summary: 'Update a section',
      description: 'JSON Merge Patch (RFC 7396): absent fields stay, null clears. The course must not be archived.',
      problems: ['already_exists', 'invalid_state'],
      tool: {
        description:
          'Changes the title, the drip days or the opening date of a section. Use it to rename a section or to open it ' +
          'later; ' +
          'reorder_curriculum moves it.',
      },
      run: (sections, { principal, body, tx, ...key }) => sections.patch(principal, key, body, tx),
    },
    delete: {
      id: 'deleteSection',
      summary: 'Delete a section',
      description: 'Only without lectures.',
      problems: ['invalid_state', 'resource_in_use'],
      tool: { description: 'Deletes a section without lectures. Use it for a section that is empty or a mistake.' },
      run: (sections, { principal, tx, ...key }) => sections.remove(principal, key, tx),
    },
  },
});
