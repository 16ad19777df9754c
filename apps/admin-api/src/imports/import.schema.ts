import { fixed, readOnly, resource } from '@lyceum/collections';
import type { CreateOf, ListQueryOf } from '@lyceum/collections';
import { DATA_FORMATS, IMPORT_COLLECTIONS, IMPORT_STATES } from '@lyceum/contracts';
import { fieldErrorSchema } from '@lyceum/platform';
import { idIn, instantOut } from '@lyceum/rest';
import { z } from 'zod';
import { IMPORT_MODES } from '#src/import-rows/import-mode.js';
import { IMPORT_ENCODINGS, IMPORT_ERRORS, IMPORT_LIMITS } from './import.policy.js';

const EXAMPLE = {
  id: '019ab3c0-f012-7c23-9e5f-607182930415',
  created_by: '5d0f2c4e-8f3b-4a52-b1d7-6f1e2d3c4b5a',
  collection: 'students',
  format: 'csv',
  encoding: 'utf-8',
  mapping: { 'E-mail': 'email' },
  upload_id: '019ab3c0-de90-7a01-9c3d-4e5f60718293',
  mode: 'create_only',
  course_id: null,
  plan_id: null,
  send_welcome_email: false,
  state: 'previewed',
  error: null,
  rows_total: 1250,
  preview: { rows_created: 1249, rows_updated: 0, rows_skipped: 0, rows_failed: 1 },
  rows_done: 0,
  rows_created: 0,
  rows_updated: 0,
  rows_skipped: 0,
  rows_failed: 0,
  faults_count: 1,
  faults: [
    {
      line: 17,
      pointer: '/email',
      code: 'repeated',
      detail: 'Line 3 has the same email',
      column: 'E-mail',
      value: 'student@harbour.example',
    },
  ],
  report_url: 'https://files.example.com/imports/019ab3c0?X-Amz-Signature=5d8a',
  expires_at: '2026-11-21T08:00:00.000Z',
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
} as const;

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
const columnName = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,100}$/u, '1 to 100 characters');
const count = (description: string) => readOnly(z.int().min(0).meta({ description }));

const preview = z.object({
  rows_created: z.int().min(0),
  rows_updated: z.int().min(0),
  rows_skipped: z.int().min(0),
  rows_failed: z.int().min(0),
});

const fault = z.object({
  line: z.int().min(1).meta({ description: 'Line of the file; the first line is 1' }),
  pointer: z.string().meta({ description: 'Member of the row: a JSON Pointer (RFC 6901); empty for the whole row' }),
  code: fieldErrorSchema.shape.code,
  detail: z.string(),
  column: z
    .string()
    .nullable()
    .meta({ description: 'Column of the file, or member of JSON Lines; null for the whole row' }),
  value: z
    .string()
    .nullable()
    .meta({ description: `First ${IMPORT_LIMITS.charactersOfValue} characters of the faulty value; null without one` }),
});

export const imported = resource('Import', {
  one: 'import',
  fields: {
    created_by: readOnly(z.uuid().meta({ description: 'Member who asked for the import' })),
    collection: fixed(z.enum(IMPORT_COLLECTIONS).meta({ description: 'Collection of the objects' })),
    format: fixed(
      z.enum(DATA_FORMATS).meta({
        description: 'csv: a line of names, then a row for each object; jsonl: one object on each line',
      }),
    ),
    encoding: fixed(z.enum(IMPORT_ENCODINGS).meta({ description: 'Encoding of the file' }), 'utf-8'),
    mapping: fixed(
      z
        .record(
          columnName,
          z
            .string()
            .max(50)
            .regex(/^[\w.-]+$/, 'A member of an object')
            .nullable(),
        )
        .refine(
          (value) => Object.keys(value).length <= IMPORT_LIMITS.columns,
          `At most ${IMPORT_LIMITS.columns} columns`,
        )
        .meta({
          description:
            'Pairs of a column, by its name in the first line of a CSV file, and a member: E-mail and email. null in place of ' +
            'the member leaves the column out; a column without a pair has the name of its member',
        }),
      {},
    ),
    upload_id: fixed(idIn.meta({ description: 'Upload with the purpose import and the state ready' })),
    mode: fixed(
      z.enum(IMPORT_MODES).meta({
        description:
          'create_only: an object that exists is a fault; a mode that begins with upsert: an object that exists gets ' +
          'the fields that the row names; one that begins with update: the same, and an object that does not exist is ' +
          'a fault. Objects are found by external_id, students also by email, categories, lecturers and courses by slug, ' +
          'enrollments by the email of the student and the slug of the course',
      }),
      'create_only',
    ),
    course_id: fixed(idIn.nullable().meta({ description: 'Course in which students are enrolled' }), null),
    plan_id: fixed(idIn.nullable().meta({ description: 'Plan of the course by which they are enrolled' }), null),
    send_welcome_email: fixed(z.boolean().meta({ description: 'Without it, no mail is sent to new students' }), false),
    state: readOnly(
      z.enum(IMPORT_STATES).meta({
        description: 'invalid: the file cannot be read, or no row of it is valid',
      }),
    ),
    error: readOnly(
      z
        .enum(IMPORT_ERRORS)
        .nullable()
        .meta({
          description:
            'Why the import failed. forbidden: its creator is no longer an owner or admin; file_gone: the upload was ' +
            'deleted; course_closed: the course or the plan takes no enrollments; internal: an unexpected error',
        }),
    ),
    rows_total: count('Rows of the file; 0 until it is checked'),
    preview: readOnly(preview.nullable().meta({ description: 'Expected outcomes; null until the file is checked' })),
    rows_done: count('Rows so far'),
    rows_created: count('Objects that were added'),
    rows_updated: count('Objects that were changed'),
    rows_skipped: count('Objects that have all values of their row already'),
    rows_failed: count('Rows with faults, which the import leaves out'),
    faults_count: count('All faults of the file'),
    faults: readOnly(z.array(fault).meta({ description: `The first ${IMPORT_LIMITS.shownFaults} faults` })),
    report_url: readOnly(
      z
        .url()
        .nullable()
        .meta({
          description: `Link to a file with the first ${IMPORT_LIMITS.faults} faults, valid for 15 to 30 minutes; null without faults`,
        }),
    ),
    expires_at: readOnly(instantOut.meta({ description: 'The import and its report are deleted then' })),
  },
  details: ['faults', 'report_url'],
  sorts: ['-created_at', '-updated_at'],
  ranges: ['created_at', 'updated_at'],
  examples: {
    object: EXAMPLE,
    create: {
      collection: EXAMPLE.collection,
      format: EXAMPLE.format,
      mapping: EXAMPLE.mapping,
      upload_id: EXAMPLE.upload_id,
    },
  },
});
export type ImportCreate = CreateOf<typeof imported>;
export type ImportListQuery = ListQueryOf<typeof imported>;

export const importRun = z
  .strictObject({
    skip_invalid: z
      .boolean()
      .default(false)
      .meta({ description: 'true: leaves out rows with faults; without it, an import with faults does not start' }),
  })
  .meta({ id: 'ImportRun', examples: [{ skip_invalid: false }] });
export type ImportRun = z.infer<typeof importRun>;
