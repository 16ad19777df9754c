import { FORM_LIMITS } from '@lyceum/contracts';
import type { FormAnswer, FormAnswers, FormField, FormFieldType } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import type { FieldCode } from '@lyceum/errors';
import { jsonPointer } from '@lyceum/platform';
import { email, multiline, text } from '@lyceum/rest';
import { z } from 'zod';

interface Fault {
  readonly code: FieldCode;
  readonly detail: string;
}

/** Returns why an answer does not fit its field. Undefined: it fits. */
type Rule = (answer: FormAnswer, field: FormField) => Fault | undefined;

const fault = (code: FieldCode, detail: string): Fault => ({ code, detail });
const fits = (schema: z.ZodType, answer: unknown): boolean => schema.safeParse(answer).success;
/** Characters as the schemas count them: an emoji of two UTF-16 units is one. */
const charactersOf = (answer: string): number => Array.from(answer).length;
const isText = (answer: FormAnswer): answer is string => typeof answer === 'string';

/** Text that the schema accepts. */
function textual(limit: number, schema: z.ZodType, detail: string): Rule {
  return (answer, { max_length }) => {
    if (!isText(answer)) return fault('invalid_type', 'Text');
    const max = Math.min(max_length ?? limit, limit);
    if (charactersOf(answer) > max) return fault('too_large', `At most ${max} characters`);
    return fits(schema, answer) ? undefined : fault('invalid_format', detail);
  };
}

function multiselect(answer: FormAnswer, { options }: FormField): Fault | undefined {
  if (!Array.isArray(answer)) return fault('invalid_type', 'A list of options');
  if (new Set(answer).size < answer.length) return fault('repeated', 'An option occurs twice');
  const unknown = answer.find((one) => !options.includes(one));
  return unknown === undefined ? undefined : fault('invalid_value', 'Options of the field');
}

function number(answer: FormAnswer, { minimum, maximum }: FormField): Fault | undefined {
  if (typeof answer !== 'number') return fault('invalid_type', 'A number');
  if (minimum !== null && answer < minimum) return fault('too_small', `At least ${minimum}`);
  if (maximum !== null && answer > maximum) return fault('too_large', `At most ${maximum}`);
  return undefined;
}

const RULES: Readonly<Record<FormFieldType, Rule>> = {
  text: textual(FORM_LIMITS.text, text(FORM_LIMITS.text), 'One line without control characters'),
  textarea: textual(FORM_LIMITS.textarea, multiline(FORM_LIMITS.textarea), 'Text without control characters'),
  email: textual(FORM_LIMITS.text, email, 'An e-mail address'),
  date: textual(FORM_LIMITS.text, z.iso.date(), 'A date such as 2026-11-20'),
  select: (answer, { options }) =>
    isText(answer) && options.includes(answer) ? undefined : fault('invalid_value', 'An option of the field'),
  multiselect,
  checkbox: (answer) => (typeof answer === 'boolean' ? undefined : fault('invalid_type', 'true or false')),
  number,
};

const trimmed = (answer: FormAnswer): FormAnswer => (isText(answer) ? answer.trim() : answer);
const isGiven = (answer: FormAnswer): boolean => answer !== '' && !(Array.isArray(answer) && answer.length === 0);
const isMissing = ({ required, type }: FormField, answer: FormAnswer | undefined): boolean =>
  required && (answer === undefined || (type === 'checkbox' && answer === false));

const sizeOf = (answers: FormAnswers): number =>
  Object.values(answers).reduce<number>((sum, answer) => sum + [answer].flat().join('').length, 0);

/**
 * Returns the answers of a submission, in the order of the fields. Empty ones are left out.
 *
 * @throws `validation_failed` with a pointer to each answer that does not fit its field
 */
export function answersOf(fields: readonly FormField[], given: FormAnswers): FormAnswers {
  const known = new Set(fields.map(({ key }) => key));
  const unknown = Object.keys(given).filter((key) => !known.has(key));
  const answers = fields.flatMap(({ key }): [string, FormAnswer][] => {
    const answer = Object.hasOwn(given, key) ? given[key] : undefined;
    const value = answer === undefined ? undefined : trimmed(answer);
    return value === undefined || !isGiven(value) ? [] : [[key, value]];
  });
  const byKey = new Map(answers);
  const faults = fields.flatMap((field): [string, Fault][] => {
    const answer = byKey.get(field.key);
    if (isMissing(field, answer)) return [[field.key, fault('required', 'The form needs an answer')]];
    const found = answer === undefined ? undefined : RULES[field.type](answer, field);
    return found === undefined ? [] : [[field.key, found]];
  });
  const errors = [
    ...unknown.map((key): [string, Fault] => [key, fault('unknown_member', 'No field of the form')]),
    ...faults,
  ].map(([key, of]) => ({ pointer: jsonPointer(['answers', key]), ...of }));
  if (errors.length > 0) throw new ApiError('validation_failed', 'The answers do not fit the form', { errors });
  const accepted = Object.fromEntries(answers);
  if (sizeOf(accepted) <= FORM_LIMITS.answers) return accepted;
  throw new ApiError('validation_failed', 'The answers are too long', {
    errors: [{ pointer: '/answers', code: 'too_large', detail: `At most ${FORM_LIMITS.answers} characters in all` }],
  });
}
