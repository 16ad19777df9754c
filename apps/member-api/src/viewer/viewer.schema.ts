import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { Node } from '#src/schema/node.schema.js';
import { UrlScalar } from '#src/schema/scalars.js';
import { ViewerSchool } from '#src/schools/viewer-school.schema.js';

/** The connections are methods of the resolver, because they have arguments. */
@ObjectType({
  implements: () => [Node],
  description: 'The signed-in member, with the profile at the site of the access token.',
})
export class Viewer {
  @Field(() => ID, { description: 'Identifier of the member; the claim sub.' })
  id!: string;

  @Field(() => String, { description: 'Name of the member.' })
  name!: string;

  @Field(() => String, { description: 'E-mail address of the member.' })
  email!: string;

  @Field(() => UrlScalar, { nullable: true, description: 'Picture of the member.' })
  avatarUrl!: string | null;

  @Field(() => String, { nullable: true, description: 'Language of the member, as a BCP 47 tag.' })
  locale!: string | null;

  @Field(() => [ViewerSchool], { description: 'Every site at which the member has a role.' })
  schools!: ViewerSchool[];

  @Field(() => Int, { nullable: true, description: 'How many notifications are unread.' })
  unreadNotificationCount!: number | null;
}
