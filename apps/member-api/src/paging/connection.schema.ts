import type { Type } from '@nestjs/common';
import { ArgsType, Field, Int, ObjectType } from '@nestjs/graphql';

@ObjectType({ description: 'Where a page lies in its list.' })
export class PageInfo {
  @Field(() => Boolean, { description: 'True when there are items behind this page (older ones).' })
  hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'True when there are items before this page (newer ones).' })
  hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first item; null for an empty page.' })
  startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'Cursor of the last item; null for an empty page.' })
  endCursor!: string | null;
}

@ArgsType()
export class PageArgs {
  @Field(() => Int, { nullable: true, description: 'How many items from the start: 1 to 100. 20 without it.' })
  first?: number;

  @Field(() => String, { nullable: true, description: 'Only items behind this cursor.' })
  after?: string;

  @Field(() => Int, { nullable: true, description: 'How many items from the end: 1 to 100. Not together with first.' })
  last?: number;

  @Field(() => String, { nullable: true, description: 'Only items before this cursor.' })
  before?: string;
}

/** The Relay connection of a node type: `<Name>Connection` and `<Name>Edge`. */
export function connectionOf<Node>(
  node: Type<Node>,
  name: string,
  words: string,
  order = 'newest first',
): Type<object> {
  @ObjectType(`${name}Edge`, { description: `One of ${words}, with its place in the list.` })
  class Edge {
    @Field(() => String, { description: 'Marks this item for after and before. Opaque, and good for this list only.' })
    cursor!: string;

    @Field(() => node, { description: 'The item.' })
    node!: Node;
  }

  @ObjectType(`${name}Connection`, { description: `A page of ${words}, ${order}.` })
  class Connection {
    @Field(() => [Edge], { description: 'The items, each with its cursor.' })
    edges!: Edge[];

    @Field(() => [node], { description: 'The items.' })
    nodes!: Node[];

    @Field(() => PageInfo, { description: 'Where this page lies in the list.' })
    pageInfo!: PageInfo;

    @Field(() => Int, { description: 'How many items the whole list has. Counted only when it is asked for.' })
    totalCount!: number;
  }

  return Connection;
}
