import { Field, ID, ObjectType } from '@nestjs/graphql';
import { Node } from '#src/schema/node.schema.js';
import { DateTimeScalar, UrlScalar } from '#src/schema/scalars.js';

@ObjectType({ implements: () => [Node], description: 'A site at which the member has a role.' })
export class ViewerSchool {
  @Field(() => ID, { description: 'Identifier of the site; the claim org_id.' })
  id!: string;

  @Field(() => String, { description: 'Name of the site.' })
  name!: string;

  @Field(() => String, { description: 'Slug of the site.' })
  slug!: string;

  @Field(() => UrlScalar, { description: 'Origin of the site.' })
  url!: string;

  @Field(() => [String], {
    description:
      'Roles of the member there, highest privilege first: owner, admin, lecturer, teaching_assistant, student.',
  })
  roles!: string[];

  @Field(() => Boolean, { description: 'True for the site that the access token was issued for.' })
  isCurrent!: boolean;

  @Field(() => DateTimeScalar, { nullable: true, description: 'Since when the member belongs to it.' })
  joinedAt!: string | null;
}
