import { Readable } from 'node:stream';
import { csvText } from '@lyceum/platform';
import { requireMapping } from './import.columns.policy.js';
import { FileFault } from './import.faults.js';
import type { Fault } from './import.faults.js';
import { IMPORT_KINDS } from './import.kinds.js';
import { IMPORT_LIMITS } from './import.policy.js';
import { RowChecks } from './import.row.policy.js';
import type { ImportRow } from './import.row.policy.js';
import { rowsOf } from './import.rows.js';
import type { FileForm } from './import.rows.js';

type Mode = FileForm['mode'];

interface Read {
  readonly rows: ImportRow[];
  readonly faults: Fault[];
  /** The fault that ends the file. */
  readonly fatal?: Fault;
}

/** The file arrives in pieces of a few bytes: no piece ends where a line, a character or a cell does. */
async function read(
  content: string | Uint8Array,
  format: 'csv' | 'jsonl' = 'csv',
  mode: Mode = 'create_only',
  { encoding = 'utf-8', mapping = {} }: Partial<FileForm> = {},
  kind = IMPORT_KINDS.students,
): Promise<Read> {
  const bytes = Buffer.from(content);
  const size = bytes.length > 10_000 ? 65_536 : 3;
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, at * size + size),
  );
  const checks = new RowChecks(kind, { mode, mapping });
  const found: Read = { rows: [], faults: [] };
  try {
    for await (const raw of rowsOf(Readable.from(pieces), { format, encoding, mapping, mode }, kind)) {
      const checked = checks.check(raw);
      if ('line' in checked) found.rows.push(checked);
      else found.faults.push(...checked);
    }
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    return { ...found, fatal: error.fault };
  }
  return found;
}

it('reads CSV with a byte order mark, CRLF, quotes, empty lines and the columns of an export', async () => {
  const csv = [
    '\ufeffid,email,name,phone_number,tags,metadata,metadata.cohort,enrollments_count',
    `019ab3c0-8d11-7f0a-a1f3-5b1c2d3e4f50,Mei@Example.com,"Lin, ""Mei""",'+886912345678,"[""a"",""b""]","{""x"":""1""}",evening,2`,
    '',
    ',lin@example.com,林,+886912345679,a; b,,,',
    '',
  ].join('\r\n');
  expect(await read(csv)).toEqual({
    rows: [
      {
        line: 2,
        values: {
          email: 'mei@example.com',
          name: 'Lin, "Mei"',
          phone_number: '+886912345678',
          tags: ['a', 'b'],
          metadata: { x: '1', cohort: 'evening' },
        },
      },
      {
        line: 4,
        values: { email: 'lin@example.com', name: '林', phone_number: '+886912345679', tags: ['a', 'b'] },
      },
    ],
    faults: [],
  });
});

it('reads JSON Lines, with null and without the members that an export has', async () => {
  const lines = ['{"email":"mei@example.com","phone_number":null,"state":"active"}', '', '{"email":"lin@example.com"}'];
  expect((await read(`\ufeff${lines.join('\r\n')}`, 'jsonl')).rows).toEqual([
    { line: 1, values: { email: 'mei@example.com', phone_number: null } },
    { line: 3, values: { email: 'lin@example.com' } },
  ]);
});

it.each<[string, string, Partial<Fault>]>([
  ['too many cells', 'email,name\na@example.com,A,more\n', { line: 2, pointer: '', code: 'invalid_format' }],
  ['too few cells', 'email,name\na@example.com\n', { line: 2, pointer: '', code: 'invalid_format' }],
  ['a missing address', 'email,name\n,A\n', { line: 2, pointer: '/email', code: 'required' }],
  ['a malformed address', 'email\na@b\n', { line: 2, pointer: '/email', code: 'invalid_format', value: 'a@b' }],
  ['a long name', `email,name\na@example.com,${'x'.repeat(201)}\n`, { pointer: '/name', code: 'too_large' }],
  ['a line break in a name', 'email,name\na@example.com,"A\r\nB"\n', { line: 2, pointer: '/name' }],
  ['metadata that is no JSON', 'email,metadata\na@example.com,{\n', { pointer: '/metadata', code: 'invalid_type' }],
  ['a formula', 'email,name\na@example.com,=1+1\n', { pointer: '/name', code: 'invalid_value', value: '=1+1' }],
  ['a formula of a function', 'email,name\na@example.com,@SUM(A1)\n', { pointer: '/name', code: 'invalid_value' }],
  ['a formula of a difference', 'email,name\na@example.com,-1\n', { pointer: '/name', code: 'invalid_value' }],
  ['a formula in place of a number', 'email,phone_number\na@example.com,+1+1\n', { pointer: '/phone_number' }],
  [
    'an address twice',
    'email\na@example.com\nb@example.com\nA@example.com\n',
    { line: 4, pointer: '/email', code: 'repeated', detail: 'Line 2 has the same email' },
  ],
  [
    'an external id twice',
    'email,external_id\na@example.com,x\nb@example.com,x\n',
    { line: 3, pointer: '/external_id', code: 'repeated' },
  ],
])('names the fault of a row: %s', async (_name, csv, fault) => {
  const { faults, fatal } = await read(csv);
  expect(fatal).toBeUndefined();
  expect(faults).toEqual([expect.objectContaining(fault)]);
});

it('keeps a formula as text after the mark of an export', async () => {
  expect((await read("email,name\na@example.com,'=1+1\n")).rows[0]?.values['name']).toBe('=1+1');
});

it.each(['=1+1', '-1', '@SUM(A1)', '\t=1', '\n=1+1', '\nplain', '＝1+1', 'plain'])(
  'reads the text that an export has written: %j',
  async (note) => {
    const cells = csvText(['email', 'note'], [{ email: 'a@example.com', note }], false);
    const { rows, faults } = await read(`email,metadata.note\r\n${cells}`);
    expect(faults).toEqual([]);
    expect(rows[0]?.values['metadata']).toEqual({ note });
  },
);

it('finds students by external ids only where each row has one', async () => {
  const csv = 'email,external_id\na@example.com,x\nb@example.com,\n';
  const { rows, faults } = await read(csv, 'csv', 'upsert_by_external_id');
  expect(rows).toHaveLength(1);
  expect(faults).toEqual([expect.objectContaining({ line: 3, pointer: '/external_id', code: 'required' })]);
});

it.each<[string, string | Uint8Array, Partial<Fault>]>([
  ['an empty file', '', { line: 1, code: 'required' }],
  ['a file with a byte order mark alone', '\ufeff', { code: 'required' }],
  ['a file without rows', 'email,name\r\n', { code: 'required' }],
  ['Latin-1', Buffer.from('email,name\na@example.com,Zoë\n', 'latin1'), { line: 2, code: 'invalid_format' }],
  ['UTF-16', Buffer.from('\ufeffemail\na@example.com\n', 'utf16le'), { line: 1, code: 'invalid_format' }],
  ['semicolons between cells', 'email;name\na@example.com;A\n', { line: 1, code: 'invalid_format' }],
  ['an unknown column', 'email,age\na@example.com,7\n', { line: 1, column: 'age', code: 'unknown_member' }],
  ['a column twice', 'email,email\na@example.com,b\n', { line: 1, pointer: '/email', code: 'repeated' }],
  ['no column with addresses', 'name\nA\n', { line: 1, pointer: '/email', code: 'required' }],
  ['a quote that is not closed', 'email,name\na@example.com,"A\nb@example.com,B\n', { code: 'invalid_format' }],
  ['text after a quote', 'email,name\na@example.com,"A"b\n', { line: 2, code: 'invalid_format' }],
  ['a quote within a cell', 'email,name\na@example.com,A"b"\n', { line: 2, code: 'invalid_format' }],
  ['a huge cell', `email,name\na@example.com,${'x'.repeat(70_000)}\n`, { line: 2, code: 'invalid_format' }],
])('ends at a fault of the file: %s', async (_name, csv, fault) => {
  const { rows, fatal } = await read(csv);
  expect(rows).toEqual([]);
  expect(fatal).toEqual(expect.objectContaining(fault));
});

it('names the line of a row after cells with line breaks', async () => {
  const csv = 'email,metadata.note\r\na@example.com,"x\r\ny"\r\nb,\r\n"c","z\n\nz"\r\n';
  expect((await read(csv)).faults.map(({ line }) => line)).toEqual([4, 5]);
});

it('names the faults of JSON Lines', async () => {
  const lines = ['{"email":"a@example.com"', '[]', '{"email":"a@example.com","age":7}', '{"email":7}'];
  const { faults } = await read(lines.join('\n'), 'jsonl');
  expect(faults.map(({ line, pointer, code }) => [line, pointer, code])).toEqual([
    [1, '', 'invalid_format'],
    [2, '', 'invalid_format'],
    [3, '/age', 'unknown_member'],
    [4, '/email', 'invalid_type'],
  ]);
  const huge = await read(`{"email":"${'x'.repeat(IMPORT_LIMITS.bytesOfRow)}"}`, 'jsonl');
  expect(huge.fatal).toEqual(expect.objectContaining({ line: 1, code: 'too_large' }));
});

it('refuses a file with too many rows', async () => {
  const file = Buffer.from('{}\n'.repeat(IMPORT_LIMITS.rows + 1));
  const form = { format: 'jsonl', encoding: 'utf-8', mapping: {}, mode: 'create_only' } as const;
  const readAll = async (): Promise<void> => {
    for await (const row of rowsOf(Readable.from([file]), form, IMPORT_KINDS.students)) void row;
  };
  const fault = { line: IMPORT_LIMITS.rows + 1, code: 'too_large' };
  await expect(readAll()).rejects.toMatchObject({ fault });
});

it('reads the cells of each kind by the schema of its members', async () => {
  const csv = [
    'slug,name,visible,position,social_links,member_id,metadata.team',
    `mei-lin,Mei Lin,TRUE,3,"[{""network"":""web"",""url"":""https://example.com""}]",019ab3c0,a`,
  ].join('\n');
  const { rows, faults } = await read(csv, 'csv', 'create_only', {}, IMPORT_KINDS.lecturers);
  expect(faults).toEqual([]);
  expect(rows[0]?.values).toEqual({
    slug: 'mei-lin',
    name: 'Mei Lin',
    visible: true,
    position: 3,
    social_links: [{ network: 'web', url: 'https://example.com' }],
    metadata: { team: 'a' },
  });
});

it.each<[string, string, Partial<Fault>]>([
  ['a word in place of a number', 'slug,name,position\na,A,first\n', { pointer: '/position', code: 'invalid_type' }],
  ['a number above the limit', 'slug,name,position\na,A,10001\n', { pointer: '/position', code: 'too_large' }],
  ['a slug with spaces', 'slug,name\nA b,A\n', { pointer: '/slug', code: 'invalid_format' }],
  ['a slug twice', 'slug,name\na,A\na,B\n', { line: 3, pointer: '/slug', code: 'repeated' }],
])('names the fault of a category: %s', async (_name, csv, fault) => {
  const { faults, fatal } = await read(csv, 'csv', 'create_only', {}, IMPORT_KINDS.categories);
  expect(fatal).toBeUndefined();
  expect(faults).toEqual([expect.objectContaining(fault)]);
});

it('needs only the member that finds an object where the mode adds none', async () => {
  const csv = 'external_id,position\nx,2\n,3\n';
  const changing = await read(csv, 'csv', 'update_by_external_id', {}, IMPORT_KINDS.categories);
  expect(changing.rows).toEqual([{ line: 2, values: { external_id: 'x', position: 2 } }]);
  expect(changing.faults).toEqual([expect.objectContaining({ line: 3, pointer: '/external_id', code: 'required' })]);
  const adding = await read(csv, 'csv', 'upsert_by_external_id', {}, IMPORT_KINDS.categories);
  expect(adding.fatal).toMatchObject({ line: 1, pointer: '/slug', code: 'required' });
  const lost = await read('position\n2\n', 'csv', 'update_by_slug', {}, IMPORT_KINDS.categories);
  expect(lost.fatal).toMatchObject({ line: 1, pointer: '/slug', code: 'required' });
});

describe('a mapping of columns', () => {
  const students = async (csv: string, mapping: FileForm['mapping']) => {
    const { rows, faults, fatal } = await read(csv, 'csv', 'create_only', { mapping });
    return fatal ? [fatal] : [...rows.map(({ values }) => values), ...faults];
  };

  it('gives columns the names of members, and leaves columns out', async () => {
    const csv = 'E-Mail, 姓名 ,Group,Note,tags\nmei@example.com,Mei,evening,secret,a;b\n';
    const mapping = { 'E-Mail': 'email', 姓名: 'name', Group: 'metadata.cohort', Note: null };
    expect(await students(csv, mapping)).toEqual([
      { email: 'mei@example.com', name: 'Mei', metadata: { cohort: 'evening' }, tags: ['a', 'b'] },
    ]);
  });

  it('names the column of a fault as the file does', async () => {
    const [fault] = await students('Mail,Team\nmei,=A1\n', { Mail: 'email', Team: 'metadata.team' });
    expect(fault).toMatchObject({ column: 'Team', value: '=A1', pointer: '/metadata.team' });
    const [other] = await students('Mail\nmei\n', { Mail: 'email' });
    expect(other).toMatchObject({ column: 'Mail', value: 'mei', pointer: '/email' });
  });

  it.each([
    ['a column that the file lacks', { Mail: 'email' }, '/Mail', 'required'],
    ['two columns of one member', { Note: 'email' }, '/email', 'repeated'],
    ['no email', { email: null, Note: null }, '/email', 'required'],
  ])('refuses %s', async (_name, mapping, pointer, code) => {
    expect(await students('email,Note\na@example.com,b@example.com\n', mapping)).toMatchObject([
      { line: 1, pointer, code },
    ]);
  });

  it.each([
    ['csv', { Mail: 'mail' }, '/mapping/Mail'],
    ['csv', { 'a/b~c': 'secret' }, '/mapping/a~1b~0c'],
    ['jsonl', { Mail: 'email' }, '/mapping'],
  ])('refuses in %s the mapping %j', (format, mapping, pointer) => {
    expect(() => requireMapping({ format, mapping }, IMPORT_KINDS.students)).toThrow(
      expect.objectContaining({ code: 'validation_failed', errors: [expect.objectContaining({ pointer })] }),
    );
  });

  it('accepts members of students, metadata and columns to leave out', () => {
    const mapping = { a: 'email', b: 'metadata.x', c: null, d: 'created_at' };
    expect(() => requireMapping({ format: 'csv', mapping }, IMPORT_KINDS.students)).not.toThrow();
    expect(() => requireMapping({ format: 'jsonl', mapping: {} }, IMPORT_KINDS.students)).not.toThrow();
  });
});

it('reads Big5, and names the line that is not', async () => {
  const head = Buffer.from('email,name\nmei@example.com,');
  const name = Buffer.from([0xaa, 0x4c, 0xac, 0xfc]);
  const { rows } = await read(Buffer.concat([head, name, Buffer.from('\n')]), 'csv', 'create_only', {
    encoding: 'big5',
  });
  expect(rows).toMatchObject([{ values: { email: 'mei@example.com', name: '林美' } }]);
  // A byte that begins no character, one without its second byte, and one at the end of the file.
  for (const bytes of [[0xff, 0xff, 0x0a], [0xaa, 0x0a], [0xaa]]) {
    const wrong = Buffer.concat([head, Buffer.from(bytes)]);
    const { fatal } = await read(wrong, 'csv', 'create_only', { encoding: 'big5' });
    expect(fatal).toMatchObject({ line: 2, code: 'invalid_format', detail: 'The file is not text in Big5' });
  }
});
