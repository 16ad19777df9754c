import { z } from 'zod';
import { defineCommand } from '../platform/command.js';
import { defineEntityEvents } from '../platform/event.js';
import { instantSchema } from '../platform/instant.js';
import { externalId, idIn, lineOf, occurredAt, studentReferenceSchema } from './command-values.js';

export const FORM_FIELD_TYPES = [
  'text',
  'textarea',
  'select',
  'multiselect',
  'checkbox',
  'email',
  'number',
  'date',
] as const;
export type FormFieldType = (typeof FORM_FIELD_TYPES)[number];

export const FORM_LIMITS = {
  /** Forms of a site. */
  forms: 500,
  /** Fields of a form. */
  fields: 50,
  /** Options of a field. */
  options: 100,
  /** Characters of titles, labels and options. */
  title: 200,
  /** Characters of an answer in one line. */
  text: 500,
  /** Characters of an answer in several lines. */
  textarea: 10_000,
  /** Characters of all answers of a submission, which one event carries. */
  answers: 30_000,
} as const;

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const slug = z.string().max(100).regex(SLUG, 'Lower-case letters, digits and single hyphens');
const bound = z.number().nullable().default(null);

const fieldSchema = z.strictObject({
  /** Names the answer in submissions. A changed key makes another field. */
  key: z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'A lower-case letter, then at most 39 letters, digits and _'),
  type: z.enum(FORM_FIELD_TYPES),
  label: lineOf(FORM_LIMITS.title),
  /** A checkbox that is required must be checked. */
  required: z.boolean().default(false),
  /** Values of a select and a multiselect. */
  options: z.array(lineOf(FORM_LIMITS.title)).max(FORM_LIMITS.options).default([]),
  /** Characters of a text and a textarea. Null: the limit of the type. */
  max_length: z.int().min(1).max(FORM_LIMITS.textarea).nullable().default(null),
  /** Bounds of a number. */
  minimum: bound,
  maximum: bound,
});
export type FormField = z.output<typeof fieldSchema>;

const repeated = (list: readonly string[]): number => list.findIndex((one, index) => list.indexOf(one) !== index);

/** The members of a field that do not fit its type. */
function* faultsOf({ type, options, max_length, minimum, maximum }: FormField): Generator<readonly [string, string]> {
  const chooses = type === 'select' || type === 'multiselect';
  if (chooses && options.length === 0) yield ['options', `A ${type} needs options`];
  if (!chooses && options.length > 0) yield ['options', `A ${type} has no options`];
  if (repeated(options) >= 0) yield ['options', 'An option occurs twice'];
  if (max_length !== null && type !== 'text' && type !== 'textarea') yield ['max_length', `A ${type} has no length`];
  if (type !== 'number' && minimum !== null) yield ['minimum', `A ${type} has no minimum`];
  if (type !== 'number' && maximum !== null) yield ['maximum', `A ${type} has no maximum`];
  if (minimum !== null && maximum !== null && minimum > maximum) yield ['maximum', 'Below the minimum'];
}

const fieldsSchema = z
  .array(fieldSchema)
  .min(1)
  .max(FORM_LIMITS.fields)
  .superRefine((fields, { addIssue }) => {
    const refuse = (path: readonly (string | number)[], message: string): void =>
      addIssue({ code: 'custom', path: [...path], message, input: fields });
    for (const [index, field] of fields.entries()) {
      for (const [member, message] of faultsOf(field)) refuse([index, member], message);
    }
    const second = repeated(fields.map(({ key }) => key));
    if (second >= 0) refuse([second, 'key'], 'Another field has this key');
  });

/** Adds a form, or replaces the definition of the one with the `external_id` or else the slug. */
export const defineForm = defineCommand({
  service: 'admin-api',
  name: 'school.form.define.v1',
  input: {
    slug,
    /** Id of the form in the program of the school. Null: the slug alone names the form. */
    external_id: externalId.nullable().default(null),
    title: lineOf(FORM_LIMITS.title),
    fields: fieldsSchema,
    /** A form that is not active accepts no submissions. */
    active: z.boolean().default(true),
  },
  output: z.object({ form_id: z.uuid(), slug: z.string(), active: z.boolean() }),
});

const answerSchema = z.union([
  z.string().max(FORM_LIMITS.textarea),
  z.number(),
  z.boolean(),
  z.array(z.string().max(FORM_LIMITS.title)).max(FORM_LIMITS.options),
]);
export type FormAnswer = z.output<typeof answerSchema>;
const answersSchema = z.record(z.string().max(40), answerSchema);
export type FormAnswers = z.output<typeof answersSchema>;

/** Adds a submission of a visitor or a student to a form. */
export const submitForm = defineCommand({
  service: 'admin-api',
  name: 'school.form.submit.v1',
  input: {
    form: z.union([
      z.strictObject({ id: idIn }),
      z.strictObject({ external_id: externalId }),
      z.strictObject({ slug }),
    ]),
    /** Null: an anonymous visitor. */
    student: studentReferenceSchema.nullable().default(null),
    /** By the keys of the fields. Empty text and an empty list are no answer. */
    answers: answersSchema,
    /** When the form was sent. */
    occurred_at: occurredAt,
  },
  output: z.object({ submission_id: z.uuid(), form_id: z.uuid(), submitted_at: instantSchema }),
});

/** A form, without its fields. */
export const formEvents = defineEntityEvents({
  context: 'school',
  entity: 'form',
  version: 1,
  names: ['created', 'updated', 'republished'],
  data: z.object({
    form_id: z.uuid(),
    site_id: z.uuid(),
    slug: z.string(),
    title: z.string(),
    active: z.boolean(),
  }),
});

/** A submission of a form with its answers. */
export const formSubmissionEvents = defineEntityEvents({
  context: 'school',
  entity: 'form_submission',
  version: 1,
  names: ['submitted', 'erased', 'republished'],
  data: z.object({
    submission_id: z.uuid(),
    site_id: z.uuid(),
    form_id: z.uuid(),
    form_slug: z.string(),
    /** Null: an anonymous visitor. */
    student_id: z.uuid().nullable(),
    /** By the keys of fields. Empty after an erasure. */
    answers: answersSchema,
    submitted_at: instantSchema,
  }),
});
