import { Field, ID, InterfaceType } from '@nestjs/graphql';
import { TYPE_KEY } from './type-key.js';

@InterfaceType({
  description: 'An object that node finds by its id.',
  resolveType: (node: { [TYPE_KEY]: string }) => node[TYPE_KEY],
})
export abstract class Node {
  @Field(() => ID, {
    description:
      'Global identifier of the object. It is the same wherever the object appears. The operator API accepts it for objects that it has.',
  })
  id!: string;
}
