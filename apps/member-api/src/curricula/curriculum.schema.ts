import type { LECTURE_TYPES } from '@lyceum/contracts';
import { Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { DateTimeScalar, UrlScalar } from '#src/schema/scalars.js';
import { LectureAttachment } from './lecture-attachment.schema.js';

export enum LectureType {
  VIDEO = 'VIDEO',
  AUDIO = 'AUDIO',
  TEXT = 'TEXT',
  PDF = 'PDF',
  QUIZ = 'QUIZ',
  LIVE = 'LIVE',
  DOWNLOAD = 'DOWNLOAD',
}
/** A lecture type of the school that is missing here is a compile error. */
LectureType satisfies Readonly<Record<Uppercase<(typeof LECTURE_TYPES)[number]>, string>>;
registerEnumType(LectureType, {
  name: 'LectureType',
  description: 'The main content of a lecture. More types may be added.',
  valuesMap: {
    VIDEO: { description: 'A video.' },
    AUDIO: { description: 'A recording to listen to.' },
    TEXT: { description: 'A text.' },
    PDF: { description: 'A document in PDF.' },
    QUIZ: { description: 'Questions to answer.' },
    LIVE: { description: 'A live session.' },
    DOWNLOAD: { description: 'A file to download.' },
  },
});

@ObjectType({ description: 'A published lecture of a course, with the progress of the member.' })
export class CurriculumLecture {
  @Field(() => ID, { description: 'Identifier of the lecture, as in LastWatchedLecture.lectureId.' })
  id!: string;

  @Field(() => String, { description: 'Slug of the lecture, unique in the course.' })
  slug!: string;

  @Field(() => String, { description: 'Title of the lecture.' })
  title!: string;

  @Field(() => Int, { description: 'Place in its section, from 1.' })
  position!: number;

  @Field(() => LectureType, { description: 'The main content of the lecture.' })
  lectureType!: LectureType;

  @Field(() => Int, { description: 'Duration in seconds; 0 when the school has not stated it.' })
  durationSeconds!: number;

  @Field(() => Boolean, { description: 'True when the lecture is open to everyone, without an enrollment.' })
  freePreview!: boolean;

  @Field(() => Boolean, { description: 'Whether the member has completed the lecture.' })
  completed!: boolean;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When the lecture was completed first; null before.' })
  completedAt!: string | null;

  @Field(() => Int, { nullable: true, description: 'Playback position in seconds; null before the first play.' })
  positionSeconds!: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Text of the lecture as HTML that the school wrote and the API cleaned: without scripts, styles, forms and frames. Null without one; unless freePreview also when access has run out or the section is not open. A response has at most 4 MiB: read the lectures of a course with very long texts one by one, below lecture.',
  })
  contentHtml!: string | null;

  @Field(() => UrlScalar, {
    nullable: true,
    description:
      'Address for the frame of a player: of the first attachment with the kind VIDEO whose url leads to YouTube, Vimeo, Loom or Wistia. Null for other hosts and without such an attachment; unless freePreview also when access has run out or the section is not open.',
  })
  playerUrl!: string | null;

  @Field(() => [LectureAttachment], {
    description: 'Files and links beside the lecture, in the order of the school; at most 20.',
  })
  attachments!: LectureAttachment[];
}

@ObjectType({ description: 'A section of a course with at least one published lecture.' })
export class CurriculumSection {
  @Field(() => ID, { description: 'Identifier of the section.' })
  id!: string;

  @Field(() => String, { description: 'Title of the section.' })
  title!: string;

  @Field(() => Int, { description: 'Place in the course, from 1.' })
  position!: number;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the section opens for the member. Null for a section that is open.',
  })
  availableAt!: string | null;

  @Field(() => [CurriculumLecture], { description: 'The published lectures of the section, in order.' })
  lectures!: CurriculumLecture[];
}
