import { ArgsType, Field, Float, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { Node } from '#src/schema/node.schema.js';
import { DateTimeScalar, UrlScalar } from '#src/schema/scalars.js';
import { PageArgs, connectionOf } from '#src/paging/connection.schema.js';

export enum PurchasedDigitalProductState {
  ACTIVE = 'ACTIVE',
  EXPIRED = 'EXPIRED',
}
registerEnumType(PurchasedDigitalProductState, {
  name: 'PurchasedDigitalProductState',
  description: 'Whether the files can be downloaded now.',
  valuesMap: {
    ACTIVE: { description: 'The files can be downloaded, until the limit is reached.' },
    EXPIRED: { description: 'Access has run out.' },
  },
});

@ObjectType({ description: 'A file of a digital product.' })
export class DigitalProductFile {
  @Field(() => ID, { description: 'Identifier of the file.' })
  id!: string;

  @Field(() => String, { description: 'Name of the file.' })
  name!: string;

  @Field(() => String, { description: 'Media type of the file.' })
  contentType!: string;

  @Field(() => Float, { description: 'Size in bytes: a whole number, which may be beyond 32 bits.' })
  sizeBytes!: number;

  @Field(() => UrlScalar, {
    nullable: true,
    description:
      'Leads to the file for ten minutes, without an access token. Following it counts as a download. Null when access has run out or the limit is reached.',
  })
  downloadUrl!: string | null;
}

@ObjectType({ implements: () => [Node], description: 'A digital product that the member has bought or was given.' })
export class PurchasedDigitalProduct {
  @Field(() => ID, { description: 'Identifier of the purchase of the product.' })
  id!: string;

  @Field(() => ID, { description: 'Identifier of the product.' })
  productId!: string;

  @Field(() => String, { description: 'Slug of the product, unique at the site.' })
  slug!: string;

  @Field(() => String, { description: 'Name of the product.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Description of the product, as HTML without scripts.' })
  descriptionHtml!: string | null;

  @Field(() => UrlScalar, { nullable: true, description: 'Picture of the product.' })
  imageUrl!: string | null;

  @Field(() => DateTimeScalar, { description: 'Since when the member has it.' })
  purchasedAt!: string;

  @Field(() => DateTimeScalar, { nullable: true, description: 'When access ends; null for lifetime access.' })
  expireDate!: string | null;

  @Field(() => Boolean, { description: 'True when access never ends.' })
  hasLifetimeAccess!: boolean;

  @Field(() => PurchasedDigitalProductState, { description: 'Whether the files can be downloaded now.' })
  state!: PurchasedDigitalProductState;

  @Field(() => [DigitalProductFile], { description: 'The files, in the order of the school; at most 100.' })
  files!: DigitalProductFile[];

  @Field(() => Int, { description: 'How many downloads there have been, all files together.' })
  downloadCount!: number;

  @Field(() => Int, { nullable: true, description: 'How many downloads there may be; null for no limit.' })
  downloadLimit!: number | null;
}

export const PurchasedDigitalProductConnection = connectionOf(
  PurchasedDigitalProduct,
  'PurchasedDigitalProduct',
  'the digital products of the member',
);

@ArgsType()
export class DigitalProductArgs extends PageArgs {
  @Field(() => [PurchasedDigitalProductState], { nullable: true, description: 'Only products in one of these states.' })
  states?: PurchasedDigitalProductState[];
}
