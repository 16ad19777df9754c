import { requireCustomFields } from './custom-field.policy.js';
import type { CustomField } from './custom-field.policy.js';

const field = (type: CustomField['type'], options: string[] = []): CustomField => ({ key: type, type, options });
const FIELDS = [
  field('text'),
  field('number'),
  field('boolean'),
  field('date'),
  field('choice', ['morning', 'evening']),
];

it.each([
  ['text', ['7', '']],
  ['number', [7, -0.5, 0]],
  ['boolean', [true, false]],
  ['date', ['2026-11-20', '2024-02-29']],
  ['choice', ['morning', 'evening']],
])('accepts %s, and null for it', (key, values) => {
  for (const value of [...values, null]) expect(() => requireCustomFields(FIELDS, { [key]: value })).not.toThrow();
});

it.each([
  ['text', [7, true]],
  ['number', ['7', true]],
  ['boolean', ['true', 1]],
  ['date', ['2026-11-31', '20.11.2026', '2026-11-20T00:00:00Z', 20_261_120]],
  ['choice', ['noon', '', true]],
])('refuses a value that is no %s', (key, values) => {
  for (const value of values) {
    expect(() => requireCustomFields(FIELDS, { [key]: value })).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        errors: [expect.objectContaining({ pointer: `/custom_fields/${key}`, code: 'invalid_value' })],
      }),
    );
  }
});

it('names the known keys for an unknown one, and each wrong member', () => {
  expect(() => requireCustomFields(FIELDS, { seat: '7', number: 'x', text: 'y' })).toThrow(
    expect.objectContaining({
      errors: [
        {
          pointer: '/custom_fields/seat',
          code: 'unknown_member',
          detail: 'The settings of the school have no such custom field',
        },
        expect.objectContaining({ pointer: '/custom_fields/number' }),
      ],
      hint: 'The custom fields of members are text, number, boolean, date, choice',
    }),
  );
});

it('says that a school without custom fields has none, and clears the value of a removed field', () => {
  expect(() => requireCustomFields([], { seat: '7' })).toThrow(
    expect.objectContaining({
      errors: [expect.objectContaining({ code: 'unknown_member' })],
      hint: '`member_fields` of the school adds custom fields; it has none yet',
    }),
  );
  expect(() => requireCustomFields([], { seat: null })).not.toThrow();
});
