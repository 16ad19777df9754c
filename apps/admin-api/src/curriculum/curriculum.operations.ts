import { collection, rowOf } from '@lyceum/collections';
import { rowTag } from '@lyceum/rest';
import { shownTree, treeOf } from './curriculum-tree.policy.js';
import { durationOf } from './curriculum.policy.js';
import type { CurriculumRow } from './curriculum.repository.js';
import { curriculum, curriculumOrder, shownSections } from './curriculum.schema.js';
import { CurriculumService } from './curriculum.service.js';

export const curriculumCollection = collection({
  name: 'curriculum',
  description: 'Sections and lectures of courses.',
  scope: 'curriculum',
  service: CurriculumService,
  row: rowOf<CurriculumRow>(),
  parent: { name: 'courses', one: 'course' },
  singleton: true,
  resource: curriculum,
  view: {
    sections: ({ sections }) => treeOf(sections),
    lectures_count: ({ sections }) => sections.flatMap(({ lectures }) => lectures).length,
    duration_seconds: ({ sections }) => durationOf(sections),
  },
  toolMembers: {
    sections: { schema: shownSections, of: ({ sections }) => shownTree(sections) },
  },
  etag: ({ version }) => rowTag(version),
  operations: {
    get: {
      id: 'getCurriculum',
      summary: 'Get the curriculum of a course',
      description: 'Returns the sections of the course with their lectures, in their order, drafts included.',
      tool: {
        core: true,
        description:
          'Reads the sections and lectures of a course in their order, drafts included. Use it to find the ids of ' +
          'sections and lectures; list_lectures has those that more_lectures counts.',
      },
      run: (curricula, { principal, parent_id }) => curricula.get(principal, parent_id),
    },
    order: {
      id: 'reorderCurriculum',
      summary: 'Reorder the curriculum of a course',
      description:
        'Puts all sections and lectures of the course into the order of the body, at once or not at all. The body names ' +
        'each section and each lecture once; a lecture may move to another section. Needs `If-Match` with the `ETag` of ' +
        'the curriculum.',
      body: curriculumOrder,
      problems: ['invalid_state'],
      tool: {
        description:
          'Puts all sections and lectures of a course into a new order, which names each of them once; lectures may move ' +
          'between sections. Use it after get_curriculum, whose etag is if_match, to sort a course.',
      },
      run: (curricula, { principal, parent_id, body, tx, ...conditions }) =>
        curricula.reorder(principal, { ...conditions, id: parent_id }, body.sections, tx),
    },
  },
});
