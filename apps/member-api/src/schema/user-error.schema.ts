import type { FieldErrorCode } from '@lyceum/errors';
import { Field, ObjectType, registerEnumType } from '@nestjs/graphql';

export enum UserErrorCode {
  NOT_FOUND = 'NOT_FOUND',
  NOT_CHANGEABLE = 'NOT_CHANGEABLE',
  REPEATED = 'REPEATED',
}
/** Every code is one of the closed list. */
UserErrorCode satisfies Readonly<Record<string, Uppercase<FieldErrorCode>>>;
registerEnumType(UserErrorCode, {
  name: 'UserErrorCode',
  description: 'Why an input was not accepted. More codes may be added.',
  valuesMap: {
    NOT_FOUND: { description: 'No object with that identifier exists for this member at this site.' },
    NOT_CHANGEABLE: { description: 'The topic cannot be changed.' },
    REPEATED: { description: 'A value is given twice and may be given once.' },
  },
});

@ObjectType({ description: 'An input that was not accepted.' })
export class UserError {
  @Field(() => [String], { description: 'Path of the field in the input.' })
  field!: string[];

  @Field(() => String, { description: 'A description of the error for people.' })
  message!: string;

  @Field(() => UserErrorCode, { description: 'The code of the error for programs.' })
  code!: UserErrorCode;
}
