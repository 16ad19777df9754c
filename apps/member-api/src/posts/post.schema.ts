import { Field, ID, ObjectType } from '@nestjs/graphql';
import { Node } from '#src/schema/node.schema.js';
import { UrlScalar } from '#src/schema/scalars.js';

@ObjectType({ implements: () => [Node], description: 'News of the site, or of one of its courses.' })
export class Post {
  @Field(() => ID, { description: 'Identifier of the post.' })
  id!: string;

  @Field(() => String, { description: 'Slug of the post, unique at the site.' })
  slug!: string;

  @Field(() => String, { description: 'Title of the post.' })
  title!: string;

  @Field(() => UrlScalar, {
    description: 'Address of the post at the site of the API, which has no page.',
    deprecationReason: 'Use slug for the address of your own page.',
  })
  url!: string;
}
