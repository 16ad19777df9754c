import type { Tree } from '@nx/devkit';
import { columnsOf } from './columns.ts';

const FILES: Readonly<Record<string, string>> = {
  'platform/instant.ts': 'export const instantSchema = z.iso.datetime({ precision: 3 });',
  'school/values.ts': `import { z } from 'zod';
    export const STATES = ['open', 'shut'] as const;
    export const name = z.string().min(1);`,
};

/** The columns of events whose data has these members. */
function columns(members: string, data = `z.object({ ${members} })`) {
  const text = `import { z } from 'zod';
    import { instantSchema } from '../platform/instant.js';
    import { STATES, name } from './values.js';
    const text = z.string().nullable();
    export const giftEvents = defineEntityEvents({ context: 'school', entity: 'gift', data: ${data} });`;
  const read = (file: string): string | null => (file === 'school/gifts.ts' ? text : (FILES[file] ?? null));
  return columnsOf({ read } as Partial<Tree> as Tree, 'school/gifts.ts', 'giftEvents');
}

it.each([
  ['z.uuid()', 'uuid', false],
  ['z.uuid().nullable()', 'uuid', true],
  ['z.string()', 'text', false],
  ['z.string().nullable().default(null)', 'text', true],
  [`z.string().default('a')`, 'text', false],
  ['z.url({ protocol: /^https$/ })', 'text', false],
  ['z.int().nonnegative()', 'int', false],
  ['z.int().optional()', 'int', true],
  ['z.int().max(Number.MAX_SAFE_INTEGER).nullable()', 'bigint', true],
  ['z.number().min(0).max(1)', 'double precision', false],
  ['z.boolean()', 'boolean', false],
  ['instantSchema', 'timestamptz(3)', false],
  ['instantSchema.nullable()', 'timestamptz(3)', true],
  ['text', 'text', true],
  ['name', 'text', false],
  ['z.enum(STATES)', 'text', false],
  ['z.array(z.string())', 'jsonb', false],
  ['z.object({ a: z.uuid() }).nullable()', 'jsonb', true],
  ['z.union([z.uuid(), z.string()])', 'jsonb', false],
  ['unknownSchema', 'jsonb', false],
])('gives %s a column', (schema, type, nullable) => {
  expect(columns(`member: ${schema}`)).toMatchObject([{ name: 'member', type, nullable }]);
});

it('keeps the order of the members, and the values of an enumeration', () => {
  expect(columns(`gift_id: z.uuid(), state: z.enum(['open', 'shut'])`)).toMatchObject([
    { name: 'gift_id', values: [] },
    { name: 'state', values: ['open', 'shut'], sample: `'open'` },
  ]);
});

it('leaves out the columns that each read model has', () => {
  expect(columns('gift_id: z.uuid(), version: z.int()').map(({ name }) => name)).toEqual(['gift_id']);
});

it('refuses data that is no object literal', () => {
  expect(() => columns('', 'z.string()')).toThrow('school/gifts.ts: the data of giftEvents must be z.object({ … })');
  expect(() => columns('', 'makeData()')).toThrow('must be z.object');
});
