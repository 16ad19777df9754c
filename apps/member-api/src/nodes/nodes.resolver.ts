import { Args, Context, ID, Info, Query, Resolver } from '@nestjs/graphql';
import { SHARED_TYPES } from '@lyceum/contracts';
import type { GraphQLResolveInfo } from 'graphql';
import { ViewerService } from '#src/reading/viewer.service.js';
import { prefixOf } from '#src/schema/global-id.js';
import type { MemberContext } from '#src/schema/member.context.js';
import { Node } from '#src/schema/node.schema.js';

/** As a program writes them before the UUID of an object. */
const PREFIXES = SHARED_TYPES.map((type) => `${prefixOf(type)} for ${type}`).join(', ');

@Resolver(() => Node)
export class NodesResolver {
  constructor(private readonly viewers: ViewerService) {}

  @Query(() => Node, {
    nullable: true,
    description:
      'The object of a global identifier. Null for an unknown id and for an object of another person or site.',
  })
  node(
    @Args('id', {
      type: () => ID,
      description: `The id of the object. An id of the operator API needs the prefix of its type: ${PREFIXES}.`,
    })
    _id: string,
    @Context() context: MemberContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<unknown> {
    return this.viewers.readField(info, context);
  }
}
