import type { Type } from '@nestjs/common';
import { Context, Info, ResolveField, Resolver } from '@nestjs/graphql';
import type { GraphQLResolveInfo } from 'graphql';
import { ViewerService } from '#src/reading/viewer.service.js';
import type { MemberContext } from '#src/schema/member.context.js';
import { Viewer } from './viewer.schema.js';

/** The field `viewer` of mutation payloads, which returns related changes in the same request. */
export function payloadViewer(Payload: Type<object>): Type<object> {
  @Resolver(() => Payload)
  class PayloadViewerResolver {
    constructor(private readonly viewers: ViewerService) {}

    @ResolveField(() => Viewer, { nullable: true, description: 'The signed-in member after the mutation.' })
    viewer(@Context() context: MemberContext, @Info() info: GraphQLResolveInfo): Promise<unknown> {
      return this.viewers.readViewer(info, context);
    }
  }
  return PayloadViewerResolver;
}
