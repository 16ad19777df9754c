import { MEMBER_FIELD_LIMITS, MEMBER_FIELD_TYPES } from '@lyceum/contracts';
import { text } from '@lyceum/rest';
import { z } from 'zod';

const { fields, label, options, option, allOptions } = MEMBER_FIELD_LIMITS;

const repeats = (list: readonly string[]): boolean => new Set(list).size < list.length;

const memberField = z
  .strictObject({
    key: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,39}$/, 'A lower-case letter, then at most 39 letters, digits and _')
      .meta({ description: 'Key of the value among the custom fields of a member' }),
    type: z.enum(MEMBER_FIELD_TYPES),
    label: text(label).meta({ description: 'Name that people read' }),
    options: z
      .array(text(option))
      .max(options)
      .default([])
      .refine((list) => !repeats(list), 'An option occurs twice')
      .meta({ description: 'Values of a choice, in their order; empty for other types' }),
  })
  .refine(({ type, options: list }) => type !== 'choice' || list.length > 0, {
    path: ['options'],
    error: 'A choice needs options',
  })
  .refine(({ type, options: list }) => type === 'choice' || list.length === 0, {
    path: ['options'],
    error: 'Only a choice has options',
  });

/** The custom fields that members of a site can have. */
export const memberFields = z
  .array(memberField)
  .max(fields)
  .refine((list) => !repeats(list.map(({ key }) => key)), 'A key occurs twice')
  .refine((list) => list.flatMap((field) => field.options).length <= allOptions, `At most ${allOptions} options in all`)
  .meta({
    description:
      `Custom fields of members: at most ${fields}. Members keep the values of a field that is removed until they are ` +
      'cleared',
  });
