import { ApiError } from '@lyceum/errors';
import type { FieldError } from '@lyceum/errors';
import type { MEMBER_FIELD_TYPES } from '@lyceum/contracts';
import { z } from 'zod';

/** Values of the school about a member, by the key of the field. */
export type CustomFields = Record<string, string | number | boolean>;

/** A custom field of the settings of the school. */
export interface CustomField {
  readonly key: string;
  readonly type: (typeof MEMBER_FIELD_TYPES)[number];
  readonly options: readonly string[];
}

/** Description of the values of a type, for errors. */
const VALUES: Readonly<Record<CustomField['type'], string>> = {
  text: 'a string',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2026-11-20',
  choice: 'an option of the field',
};

const UNKNOWN = 'The settings of the school have no such custom field';

const date = z.iso.date();

function fits({ type, options }: CustomField, value: unknown): boolean {
  if (type === 'choice') return typeof value === 'string' && options.includes(value);
  if (type === 'date') return date.safeParse(value).success;
  return typeof value === (type === 'text' ? 'string' : type);
}

/**
 * Checks the values of a request against the custom fields of the site. Null clears a value, also that of a removed
 * field.
 *
 * @throws `validation_failed` with each unknown key and each value of another type
 */
export function requireCustomFields(fields: readonly CustomField[], given: Readonly<Record<string, unknown>>): void {
  const errors = Object.entries(given).flatMap(([key, value]): FieldError[] => {
    if (value === null) return [];
    const pointer = `/custom_fields/${key}`;
    const field = fields.find((one) => one.key === key);
    if (field === undefined) return [{ pointer, code: 'unknown_member', detail: UNKNOWN }];
    if (fits(field, value)) return [];
    return [{ pointer, code: 'invalid_value', detail: `The type ${field.type} needs ${VALUES[field.type]}` }];
  });
  if (errors.length === 0) return;
  throw new ApiError('validation_failed', 'The custom fields do not fit the settings of the school', {
    errors,
    hint:
      fields.length === 0
        ? '`member_fields` of the school adds custom fields; it has none yet'
        : `The custom fields of members are ${fields.map(({ key }) => key).join(', ')}`,
  });
}
