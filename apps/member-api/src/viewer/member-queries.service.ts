import { Injectable } from '@nestjs/common';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import type { Principal } from '@lyceum/contracts';
import { Outcome } from '@lyceum/errors';
import { SiteDirectory } from '@lyceum/resource-server';
import type { DocumentNode } from 'graphql';
import type { z } from 'zod';
import type { Variables } from '#src/selection/selection.js';
import { ViewerService } from './viewer.service.js';

/** A query of our own over the same schema: what the tools read is what GraphQL reads. */
export interface MemberQuery<Output extends z.ZodType> {
  readonly document: DocumentNode;
  /** Of `viewer`. */
  readonly output: Output;
}

@Injectable()
export class MemberQueries {
  constructor(
    private readonly viewer: ViewerService,
    private readonly schema: GraphQLSchemaHost,
    private readonly sites: SiteDirectory,
  ) {}

  /** @throws Outcome `not_found` when the member is not here, `invalid_cursor` */
  async run<Output extends z.ZodType>(
    { document, output }: MemberQuery<Output>,
    variables: Variables,
    principal: Principal,
  ): Promise<z.output<Output>> {
    const site = this.sites.byId(principal.site_id);
    if (site === undefined) throw new Outcome('temporarily_unavailable', 'The site is not known yet');
    const prepared = this.viewer.prepare(this.schema.schema, document).shape(variables);
    const data = await this.viewer.answerOrThrow(prepared, variables, { principal, site });
    return output.parse((JSON.parse(data) as { viewer: unknown }).viewer);
  }
}
