import { Args, Context, ID, Info, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { CurriculumLecture } from '#src/curricula/curriculum.schema.js';
import { ViewerService } from '#src/reading/viewer.service.js';
import type { MemberContext } from '#src/schema/member.context.js';
import { EnrolledCourse } from './enrolled-course.schema.js';

@Resolver(() => EnrolledCourse)
export class LectureResolver {
  constructor(private readonly viewers: ViewerService) {}

  @ResolveField(() => CurriculumLecture, {
    nullable: true,
    description: 'A published lecture of the course; null for another id.',
  })
  lecture(
    @Args('id', { type: () => ID, description: 'Identifier of the lecture, as in the curriculum.' }) _id: string,
    @Parent() parent: Record<string, unknown>,
    @Context() context: MemberContext,
    @Info() info: GraphQLResolveInfo,
  ): unknown {
    return this.viewers.partOf(parent, info, context);
  }
}
