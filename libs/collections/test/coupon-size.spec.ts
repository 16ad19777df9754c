import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const PARTS = ['entity', 'schema', 'policy', 'service', 'operations'];
const MOST = 200;
const folder = join(__dirname, 'coupons');

const linesOf = (file: string): number =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '').length;

it(`writes a resource with six operations and five tools in ${MOST} lines of ${PARTS.length} files`, () => {
  const files = PARTS.map((part) => `coupon.${part}.ts`);
  // The contract, the migration and the case table stand elsewhere in a service.
  const elsewhere = ['events', 'migration', 'cases'].map((part) => `coupon.${part}.ts`);
  const own = readdirSync(folder).filter((file) => file.startsWith('coupon.') && !elsewhere.includes(file));
  expect(own.sort()).toEqual(files.sort());
  const operations = readFileSync(join(folder, 'coupon.operations.ts'), 'utf8');
  expect(operations.match(/^ +id: '/gm)).toHaveLength(6);
  expect(operations.match(/^ +tool: \{/gm)).toHaveLength(5);
  expect(files.reduce((sum, file) => sum + linesOf(file), 0)).toBeLessThanOrEqual(MOST);
});
