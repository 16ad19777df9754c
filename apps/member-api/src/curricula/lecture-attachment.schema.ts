import type { ATTACHMENT_KINDS } from '@lyceum/contracts';
import { Field, Float, ObjectType, registerEnumType } from '@nestjs/graphql';
import { UrlScalar } from '#src/schema/scalars.js';

export enum AttachmentKind {
  VIDEO = 'VIDEO',
  AUDIO = 'AUDIO',
  IMAGE = 'IMAGE',
  PDF = 'PDF',
  FILE = 'FILE',
  LINK = 'LINK',
}
/** A kind of the school that is missing here is a compile error. */
AttachmentKind satisfies Readonly<Record<Uppercase<(typeof ATTACHMENT_KINDS)[number]>, string>>;
registerEnumType(AttachmentKind, {
  name: 'AttachmentKind',
  description: 'How an attachment is shown. More kinds may be added.',
  valuesMap: {
    VIDEO: { description: 'A video.' },
    AUDIO: { description: 'A recording.' },
    IMAGE: { description: 'A picture.' },
    PDF: { description: 'A document in PDF.' },
    FILE: { description: 'A file of any type.' },
    LINK: { description: 'A page elsewhere.' },
  },
});

@ObjectType({ description: 'A file or a link beside a lecture.' })
export class LectureAttachment {
  @Field(() => String, { description: 'Title of the attachment.' })
  title!: string;

  @Field(() => AttachmentKind, { description: 'How the attachment is shown.' })
  kind!: AttachmentKind;

  @Field(() => String, { nullable: true, description: 'Name of the file; null for an attachment elsewhere.' })
  filename!: string | null;

  @Field(() => String, { nullable: true, description: 'Media type of the file; null for an attachment elsewhere.' })
  contentType!: string | null;

  @Field(() => Float, {
    nullable: true,
    description: 'Size in bytes: a whole number. Null for an attachment elsewhere.',
  })
  sizeBytes!: number | null;

  @Field(() => Boolean, { description: 'Whether a player offers it as a file to keep.' })
  downloadable!: boolean;

  @Field(() => UrlScalar, {
    nullable: true,
    description:
      'Leads to the attachment without an access token: for ten minutes to a file of the school, without an end elsewhere. Null when access has run out or the section is not open, unless the lecture is a free preview.',
  })
  downloadUrl!: string | null;
}
