import { ATTACHMENT_KINDS, LECTURE_TYPES } from '@lyceum/contracts';
import { z } from 'zod';
import { AttachmentKind } from '#src/curricula/lecture-attachment.schema.js';
import { LectureType } from '#src/curricula/curriculum.schema.js';
import { fittingLectures } from './fitting-lectures.policy.js';

/** The fields of a course that `courseCurriculum` reads. */
export const CURRICULUM_FIELDS = `lecturesCount completedLecturesCount nextLecture { id } curriculum {
  id title availableAt lectures {
    id title lectureType durationSeconds completed positionSeconds
    attachments { title kind contentType sizeBytes downloadable downloadUrl }
  }
}`;
export const curriculumFields = z.object({
  lecturesCount: z.int(),
  completedLecturesCount: z.int(),
  nextLecture: z.object({ id: z.string() }).nullable(),
  curriculum: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      availableAt: z.string().nullable(),
      lectures: z.array(
        z.object({
          id: z.string(),
          title: z.string(),
          lectureType: z.enum(LectureType),
          durationSeconds: z.int(),
          completed: z.boolean(),
          positionSeconds: z.int().nullable(),
          attachments: z.array(
            z.object({
              title: z.string(),
              kind: z.enum(AttachmentKind),
              contentType: z.string().nullable(),
              sizeBytes: z.number().nullable(),
              downloadable: z.boolean(),
              downloadUrl: z.string().nullable(),
            }),
          ),
        }),
      ),
    }),
  ),
});

const attachment = z.object({
  title: z.string(),
  kind: z.enum(ATTACHMENT_KINDS),
  content_type: z.string().nullable(),
  size_bytes: z.number().nullable().describe('Null for an attachment elsewhere.'),
  downloadable: z.boolean().describe('Whether a player offers it as a file to keep.'),
  download_url: z
    .string()
    .nullable()
    .describe(
      'Works for ten minutes; null when access has run out or the section is not open, unless it is a free preview.',
    ),
});

const lecture = z.object({
  lecture_id: z.string(),
  title: z.string(),
  lecture_type: z.enum(LECTURE_TYPES),
  duration_seconds: z.int(),
  completed: z.boolean(),
  position_seconds: z.int().nullable().describe('Where the member stopped; null before the first play.'),
  attachments: z.array(attachment),
});

/** The curriculum of a course in the result of a tool. */
export const courseCurriculum = z.object({
  lectures_count: z.int(),
  completed_lectures_count: z.int(),
  next_lecture_id: z.string().nullable().describe('First open lecture that is not completed.'),
  lectures_left_off: z.int().describe('Number of lectures that a large course has and the curriculum leaves off.'),
  curriculum: z.array(
    z.object({
      section_id: z.string(),
      title: z.string(),
      available_at: z.string().nullable().describe('When the section opens; null for an open one.'),
      lectures: z.array(lecture),
    }),
  ),
});

const lower = <Name extends LectureType | AttachmentKind>(name: Name): Lowercase<Name> =>
  name.toLowerCase() as Lowercase<Name>;

export function curriculumOf(course: z.output<typeof curriculumFields>): z.input<typeof courseCurriculum> {
  const next = course.nextLecture?.id ?? null;
  const sections = course.curriculum.map(({ id, title, availableAt, lectures }) => ({
    section_id: id,
    title,
    available_at: availableAt,
    lectures: lectures.map((one) => ({
      lecture_id: one.id,
      title: one.title,
      lecture_type: lower(one.lectureType),
      duration_seconds: one.durationSeconds,
      completed: one.completed,
      position_seconds: one.positionSeconds,
      attachments: one.attachments.map(({ title, kind, contentType, sizeBytes, downloadable, downloadUrl }) => ({
        title,
        kind: lower(kind),
        content_type: contentType,
        size_bytes: sizeBytes,
        downloadable,
        download_url: downloadUrl,
      })),
    })),
  }));
  const fitting = fittingLectures(sections, next);
  return {
    lectures_count: course.lecturesCount,
    completed_lectures_count: course.completedLecturesCount,
    next_lecture_id: next,
    lectures_left_off: fitting.leftOff,
    curriculum: [...fitting.sections],
  };
}
