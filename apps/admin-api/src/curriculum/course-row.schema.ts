import { CURRICULUM_LIMITS } from '@lyceum/contracts';
import { instantText } from '@lyceum/rest';
import { z } from 'zod';
import { course } from '#src/courses/course.schema.js';
import { lecture } from './lecture.schema.js';
import { section } from './section.schema.js';

/** Lectures of a course in a row of a file. A course can have more of them. */
export const LECTURES_OF_ROW = 200;

/** A lecture of a new course. Files and places have ids of the site, and external ids can be taken meanwhile. */
const lectureOfRow = lecture.create.omit({ section_id: true, external_id: true });

const sectionOfRow = section.create.omit({ course_id: true, external_id: true }).extend({
  // A part of the file stores the row as JSON.
  opens_at: instantText.nullable().default(null),
  lectures: z.array(lectureOfRow).default([]),
});
type SectionOfRow = z.infer<typeof sectionOfRow>;

interface RowFault {
  readonly path: readonly (string | number)[];
  readonly code: 'repeated' | 'too_large' | 'invalid_value';
  readonly message: string;
}

/** A course in a file, with the sections of a new course. A row names no lecturers, categories or picture by id. */
export const courseRow = course.create.omit({ image_file_id: true, lecturer_ids: true, category_ids: true }).extend({
  sections: z
    .array(sectionOfRow)
    .max(CURRICULUM_LIMITS.sections)
    .default([])
    .check(({ value, issues }) => {
      for (const { path, code, message } of faultsOf(value)) {
        issues.push({ code: 'custom', input: value, path: [...path], message, params: { code } });
      }
    }),
});
export type CourseRow = z.infer<typeof courseRow>;

/** Faults that no lecture has by itself. */
function faultsOf(sections: readonly SectionOfRow[]): readonly RowFault[] {
  const slugs = new Set<string>();
  const lectures = sections.flatMap(({ lectures: own }, at) =>
    own.map((one, index) => ({ ...one, path: [at, 'lectures', index] })),
  );
  if (lectures.length > LECTURES_OF_ROW) {
    return [{ path: [], code: 'too_large', message: `A row has at most ${LECTURES_OF_ROW} lectures` }];
  }
  return lectures.flatMap(({ slug, attachments, path }): RowFault[] => {
    const isRepeated = slugs.has(slug);
    slugs.add(slug);
    const file = attachments.findIndex(({ file_id }) => file_id !== null);
    return [
      ...(isRepeated
        ? [{ path: [...path, 'slug'], code: 'repeated' as const, message: 'Another lecture of the course has it' }]
        : []),
      ...(file < 0
        ? []
        : [
            {
              path: [...path, 'attachments', file, 'file_id'],
              code: 'invalid_value' as const,
              message: 'A row names no files of the site',
            },
          ]),
    ];
  });
}
