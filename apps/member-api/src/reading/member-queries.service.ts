import { Injectable } from '@nestjs/common';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import type { Principal } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { SiteDirectory } from '@lyceum/resource-server';
import { Kind, getOperationAST, isObjectType } from 'graphql';
import type { DocumentNode, FieldNode } from 'graphql';
import type { z } from 'zod';
import { Selector } from '#src/selection/selection.js';
import type { SelectedField, Variables } from '#src/selection/selection.js';
import { BY_ID } from './source-catalog.js';
import { ViewerService, noMember } from './viewer.service.js';
import type { Caller } from './viewer.service.js';

/** An internal query over the schema, so tools and GraphQL read the same data. */
export interface MemberQuery<Output extends z.ZodType> {
  readonly document: DocumentNode;
  /** Parses the value of `viewer`. */
  readonly output: Output;
}

@Injectable()
export class MemberQueries {
  constructor(
    private readonly viewer: ViewerService,
    private readonly schema: GraphQLSchemaHost,
    private readonly sites: SiteDirectory,
  ) {}

  /** @throws ApiError `not_found` when the site has no such member, `invalid_cursor` */
  async run<Output extends z.ZodType>(
    { document, output }: MemberQuery<Output>,
    variables: Variables,
    principal: Principal,
  ): Promise<z.output<Output>> {
    const caller = this.#caller(principal);
    const operation = getOperationAST(document);
    if (!operation) throw new Error('A member query must be a document with one operation');
    const prepared = this.viewer.prepare(this.schema.schema, document, operation).shape(variables);
    const data = await this.viewer.readDataOrThrow(prepared, variables, caller);
    return output.parse((JSON.parse(data) as { viewer: unknown }).viewer);
  }

  /**
   * Reads one object of the member. The document `{ Type { … } }` is no operation of the schema. Undefined for an
   * unknown id.
   *
   * @throws ApiError `not_found` when the site has no such member
   */
  async find<Output extends z.ZodType>(
    { document, output }: MemberQuery<Output>,
    id: string,
    principal: Principal,
  ): Promise<z.output<Output> | undefined> {
    const caller = this.#caller(principal);
    const response = await this.viewer.read({ type: BY_ID, fields: [this.#fieldOf(document)] }, {}, caller, id);
    if (response === undefined) throw noMember();
    const [found] = Object.values(response);
    return found === null ? undefined : output.parse(found);
  }

  #fieldOf(document: DocumentNode): SelectedField {
    const node = document.definitions
      .flatMap((definition) =>
        definition.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : [],
      )
      .find((selection): selection is FieldNode => selection.kind === Kind.FIELD);
    const type = node && this.schema.schema.getType(node.name.value);
    if (node?.selectionSet === undefined || !isObjectType(type)) throw new Error('It has to be { Type { … } }');
    const object = new Selector(this.schema.schema, {}, {}).object(type, [node.selectionSet]);
    return { key: type.name, name: type.name, nodes: [node], field: undefined, beneath: [object] };
  }

  #caller(principal: Principal): Caller {
    const site = this.sites.byId(principal.site_id);
    if (site === undefined) throw new ApiError('temporarily_unavailable', 'The site directory is not loaded yet');
    return { principal, site };
  }
}
