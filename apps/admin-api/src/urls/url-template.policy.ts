import { httpsUrl } from '@lyceum/rest';
import { z } from 'zod';

const MAX_LENGTH = 500;

/** Placeholders of the URL templates, by type of object. */
const PLACEHOLDERS = {
  course: ['id', 'slug'],
  lecture: ['id', 'slug', 'course_id', 'course_slug'],
  lecturer: ['id', 'slug'],
} as const;
export type Linked = keyof typeof PLACEHOLDERS;

const PLACEHOLDER = /\{(\w*)\}/g;

/** Replaces the placeholders by the values, percent-encoded. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(PLACEHOLDER, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

/** A placeholder in the host would let values choose the host. */
function originWith(template: string, value: string): string | undefined {
  return URL.parse(template.replace(PLACEHOLDER, value))?.origin;
}

function template(of: Linked) {
  const known: readonly string[] = PLACEHOLDERS[of];
  const words = known.map((name) => `{${name}}`).join(', ');
  const names = (value: string): string[] => [...value.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  return z
    .string()
    .max(MAX_LENGTH)
    .refine((value) => httpsUrl.safeParse(value.replace(PLACEHOLDER, 'x')).success, 'An https URL is needed')
    .refine((value) => originWith(value, 'a') === originWith(value, 'b'), 'The host has no placeholders')
    .refine((value) => !/[{}]/.test(value.replace(PLACEHOLDER, '')), `Braces stand around placeholders only: ${words}`)
    .refine((value) => names(value).every((name) => known.includes(name)), `The placeholders are ${words}`)
    .refine((value) => names(value).some((name) => ['id', 'slug'].includes(name)), 'It needs {id} or {slug}')
    .nullable()
    .default(null)
    .meta({
      description: `URL of a ${of} on the web site of the school, with ${words}; null: objects have no \`url\``,
    });
}

export const urlTemplates = z.strictObject({
  course: template('course'),
  lecture: template('lecture'),
  lecturer: template('lecturer'),
});
