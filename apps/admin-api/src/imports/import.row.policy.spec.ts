import { cellsOf, columnsOf } from './import.columns.policy.js';
import { FileFault } from './import.faults.js';
import type { Fault } from './import.faults.js';
import { IMPORT_KINDS } from './import.kinds.js';
import { RowChecks } from './import.row.policy.js';
import type { ImportRow } from './import.row.policy.js';
import type { FileForm } from './import.rows.js';

const kind = IMPORT_KINDS.enrollments;

/** Reads lines of cells without quotes as enrollments. */
function read([header = '', ...lines]: readonly string[], mode: FileForm['mode']) {
  const form = { mapping: {}, mode };
  const columns = columnsOf(header.split(','), 1, form, kind);
  const checks = new RowChecks(kind, form);
  const checked = lines.map((line, index) =>
    checks.check(cellsOf(columns, line.split(','), index + 2, { kind, ...form })),
  );
  const rows = checked.filter((one): one is ImportRow => 'line' in one);
  const faults = checked.flatMap((one): readonly Fault[] => ('line' in one ? [] : one));
  return { rows, faults };
}

it('reads the key of an enrollment from two columns, and its dates as texts', () => {
  const lines = [
    'student_email,course_slug,expires_at,external_id,source,completion_rate',
    'Mei@example.com,ink,2027-01-01,a,manual,0.5',
    'mei@example.com,oil,,,,',
    'lin@example.com,ink,2027-02-01T08:00:00+08:00,,,',
    'mei@example.com,ink,,b,,',
    'mei@example.com,,,,,',
    'zoe@example.com,ink,tomorrow,a,,',
    'zoe@example.com,ink,,a,,',
  ];
  const { rows, faults } = read(lines, 'create_only');
  expect(rows.map(({ values }) => values)).toEqual([
    { student_email: 'mei@example.com', course_slug: 'ink', expires_at: '2027-01-01T00:00:00.000Z', external_id: 'a' },
    { student_email: 'mei@example.com', course_slug: 'oil' },
    { student_email: 'lin@example.com', course_slug: 'ink', expires_at: '2027-02-01T08:00:00+08:00' },
  ]);
  expect(faults.map(({ line, pointer, code, detail }) => [line, pointer, code, detail])).toEqual([
    [5, '/student_email', 'repeated', 'Line 2 has the same student email and course slug'],
    [6, '/course_slug', 'required', expect.any(String)],
    [7, '/expires_at', 'invalid_format', expect.any(String)],
    [8, '/external_id', 'repeated', 'Line 2 has the same external id'],
  ]);
});

it('needs all members of the key by which a mode finds objects', () => {
  const mode = 'update_by_student_and_course';
  const header = 'student_email,course_slug,external_id';
  const { rows, faults } = read([header, 'mei@example.com,ink,x', 'mei@example.com,,', ',,y'], mode);
  expect(rows.map(({ line }) => line)).toEqual([2]);
  expect(faults.map(({ line, pointer, code }) => [line, pointer, code])).toEqual([
    [3, '/course_slug', 'required'],
    [4, '/student_email', 'required'],
    [4, '/course_slug', 'required'],
  ]);
  expect(read(['external_id,expires_at', 'x,2027-01-01'], 'update_by_external_id').rows).toHaveLength(1);
});

it.each([
  ['update_by_student_and_course', 'student_email,external_id', '/course_slug'],
  ['upsert_by_external_id', 'student_email,course_slug', '/external_id'],
  ['create_only', 'student_email,expires_at', '/course_slug'],
] as const)('refuses in the mode %s a file with the columns %s alone', (mode, header, pointer) => {
  const reading = (): unknown => read([header], mode);
  expect(reading).toThrow(FileFault);
  expect(reading).toThrow(expect.objectContaining({ fault: expect.objectContaining({ pointer, code: 'required' }) }));
});
