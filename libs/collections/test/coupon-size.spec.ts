import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const PARTS = ['entity', 'schema', 'policy', 'service', 'operations', 'module'];
const MOST = 225;
const folder = join(__dirname, 'coupons');

const linesOf = (file: string): number =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '').length;

it(`writes a resource with six operations and five tools in ${MOST} lines`, () => {
  const files = PARTS.map((part) => `coupon.${part}.ts`);
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(files));
  const operations = readFileSync(join(folder, 'coupon.operations.ts'), 'utf8');
  expect(operations.match(/^ +id: '/gm)).toHaveLength(6);
  expect(operations.match(/^ +tool: \{/gm)).toHaveLength(5);
  expect(files.reduce((sum, file) => sum + linesOf(file), 0)).toBeLessThanOrEqual(MOST);
});
