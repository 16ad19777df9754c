import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { DateTimeScalar } from '#src/schema/scalars.js';

@ObjectType({ description: 'Where the member stopped watching.' })
export class LastWatchedLecture {
  @Field(() => ID, { description: 'Identifier of the lecture.' })
  lectureId!: string;

  @Field(() => String, { nullable: true, description: 'Title of the lecture.' })
  title!: string | null;

  @Field(() => Int, { description: 'Playback position in seconds.' })
  positionSeconds!: number;

  @Field(() => DateTimeScalar, { description: 'When it was watched.' })
  watchedAt!: string;
}
