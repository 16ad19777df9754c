import { ArgsType, Field, Float, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { CurriculumLecture, CurriculumSection } from '#src/curricula/curriculum.schema.js';
import { LastWatchedLecture } from '#src/progress/last-watched-lecture.schema.js';
import { Node } from '#src/schema/node.schema.js';
import { DateTimeScalar, UrlScalar } from '#src/schema/scalars.js';
import { PageArgs, connectionOf } from '#src/paging/connection.schema.js';

export enum EnrolledCourseState {
  ACTIVE = 'ACTIVE',
  EXPIRED = 'EXPIRED',
}
registerEnumType(EnrolledCourseState, {
  name: 'EnrolledCourseState',
  description: 'Whether the course can be taken now.',
  valuesMap: {
    ACTIVE: { description: 'The course can be taken.' },
    EXPIRED: { description: 'Its access has run out.' },
  },
});

@ObjectType({
  implements: () => [Node],
  description: "A course that the member is enrolled in: the member's enrollment and the course in one.",
})
export class EnrolledCourse {
  @Field(() => ID, { description: 'Identifier of the enrollment.' })
  id!: string;

  @Field(() => ID, { description: 'Identifier of the course.' })
  courseId!: string;

  @Field(() => String, { description: 'Slug of the course, unique at the site.' })
  slug!: string;

  @Field(() => String, { description: 'Name of the course.' })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Description of the course as HTML that the school wrote and the API cleaned: without scripts, styles, forms and frames. Null without one.',
  })
  descriptionHtml!: string | null;

  @Field(() => UrlScalar, { nullable: true, description: 'Picture of the course.' })
  imageUrl!: string | null;

  @Field(() => UrlScalar, {
    description: 'Address of the course at the site of the API, which may have no page.',
    deprecationReason: 'Use pageUrl.',
  })
  url!: string;

  @Field(() => UrlScalar, {
    nullable: true,
    description:
      'Page of the course on the web site of the school; null while the school has not set its URL template.',
  })
  pageUrl!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When access ends; null for lifetime access.' })
  expireDate!: string | null;

  @Field(() => Boolean, { description: 'True when access never ends.' })
  hasLifetimeAccess!: boolean;

  @Field(() => EnrolledCourseState, { description: 'Whether the course can be taken now.' })
  state!: EnrolledCourseState;

  @Field(() => DateTimeScalar, { description: 'When the enrollment began.' })
  enrolledAt!: string;

  @Field(() => Float, {
    description:
      'Share of the lectures that was completed, 0 to 1, as of the last record of progress: lectures that the school published since do not count. lecturesCount and completedLecturesCount are as of now.',
  })
  completionRate!: number;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When the course was completed; null before.' })
  completedAt!: string | null;

  @Field(() => LastWatchedLecture, { nullable: true, description: 'Where to go on; null before the first play.' })
  lastWatchedLecture!: LastWatchedLecture | null;

  @Field(() => [CurriculumSection], {
    description:
      'The sections of the course with their published lectures, in order. An expired course shows them, too. Empty for a course without published lectures.',
  })
  curriculum!: CurriculumSection[];

  @Field(() => CurriculumLecture, {
    nullable: true,
    description:
      'The first lecture in order that the member has not completed and that is a free preview or in an open section. Null when no such lecture is left. An expired course shows it, too.',
  })
  nextLecture!: CurriculumLecture | null;

  @Field(() => Int, { description: 'Number of published lectures.' })
  lecturesCount!: number;

  @Field(() => Int, { description: 'Number of published lectures that the member has completed.' })
  completedLecturesCount!: number;
}

export const EnrolledCourseConnection = connectionOf(EnrolledCourse, 'EnrolledCourse', 'the courses of the member');

@ArgsType()
export class EnrolledCourseArgs extends PageArgs {
  @Field(() => [EnrolledCourseState], { nullable: true, description: 'Only courses in one of these states.' })
  states?: EnrolledCourseState[];
}
