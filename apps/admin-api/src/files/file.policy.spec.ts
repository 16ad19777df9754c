import { FILE_PURPOSES } from '@lyceum/contracts';
import { MAX_BYTES, PURPOSES, requireAllowed, sweepAt } from './file.policy.js';

const pdf = { purpose: 'attachment', filename: 'a.pdf', content_type: 'application/pdf', bytes: 1 } as const;
const pointers = (file: Parameters<typeof requireAllowed>[0]): unknown => {
  try {
    return requireAllowed(file);
  } catch (error) {
    return (error as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer);
  }
};

it.each(FILE_PURPOSES)('accepts a file of %s up to its limit', (purpose) => {
  const { bytes, types } = PURPOSES[purpose];
  const file = { purpose, filename: 'a', content_type: types[0] ?? 'text/csv', bytes } as const;
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES);
  expect(pointers(file)).toBe('a');
  expect(pointers({ ...file, bytes: bytes + 1 })).toEqual(['/bytes']);
});

it.each<[string, Partial<Parameters<typeof requireAllowed>[0]>, unknown]>([
  ['accepts a name in its composed form', { filename: 'e\u0301.pdf' }, '\u00e9.pdf'],
  ['refuses a name with a path', { filename: '../a.pdf' }, ['/filename']],
  ['refuses a type of another purpose', { purpose: 'image' }, ['/content_type']],
  [
    'refuses all of it at once',
    { purpose: 'logo', filename: 'a/b', bytes: MAX_BYTES },
    ['/filename', '/content_type', '/bytes'],
  ],
])('%s', (_name, change, result) => expect(pointers({ ...pdf, ...change })).toEqual(result));

it.each([
  ['attachment', 'pending', 2],
  ['attachment', 'uploaded', 168],
  ['attachment', 'ready', 168],
  ['attachment', 'rejected', 24],
  ['import', 'pending', 2],
  ['import', 'uploaded', 24],
  ['import', 'ready', 24],
  ['import', 'rejected', 24],
] as const)('keeps a file for %s that is %s for %i hours', (purpose, state, hours) => {
  expect(sweepAt({ purpose, state }, 0)).toEqual(new Date(hours * 3_600_000));
});
