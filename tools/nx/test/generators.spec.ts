import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkspaceCopy } from './workspace-copy.ts';

/** The suites that the generators write need no servers. */
const JEST = `import preset from '../../jest.preset.mjs';
export default { ...preset, rootDir: import.meta.dirname, maxWorkers: 1 };
`;

const TIMEOUT = 240_000;

describe('the generators', () => {
  let copy: WorkspaceCopy;
  const written = new Set<string>();

  async function generate(...args: string[]): Promise<string[]> {
    const output = await copy.run('.', 'nx', 'g', ...args);
    const files = [...output.matchAll(/^(?:CREATE|UPDATE) (.+)$/gm)].map(([, file = '']) => file);
    for (const file of files) written.add(file);
    return files.map((file) => file.replace(/\d{13}/, 'TIME'));
  }

  beforeAll(() => {
    copy = new WorkspaceCopy();
  });
  afterAll(() => copy.remove());

  it(
    'write their files',
    async () => {
      const collection = await generate('@lyceum/nx:collection', 'coupons');
      expect(collection).toEqual([
        ...['entity', 'module', 'operations', 'policy.spec', 'policy', 'schema', 'service'].map(
          (part) => `apps/admin-api/src/coupons/coupon.${part}.ts`,
        ),
        'apps/admin-api/src/migrations/TIME-coupons.ts',
        'libs/contracts/src/school/coupons.ts',
        'libs/contracts/src/school/index.ts',
        'apps/admin-api/src/collections.ts',
      ]);
      const words = await generate('@lyceum/nx:collection', 'gift-cards', '--scope=courses');
      expect(words).toContain('apps/admin-api/src/gift-cards/gift-card.operations.ts');
      expect(await generate('@lyceum/nx:consumer', 'gift-cards')).toEqual([
        'apps/member-api/src/gift-cards/gift-cards.module.ts',
        'apps/member-api/src/gift-cards/gift-cards.repository.ts',
        'apps/member-api/src/migrations/TIME-gift-cards.ts',
        'apps/member-api/src/migrations/migrations.ts',
        'apps/member-api/src/member-api.module.ts',
        'libs/contracts/src/topology/duties.ts',
      ]);
      const place = ['--app=admin-api', '--feature=coupons', '--scope=coupons:read'];
      expect(await generate('@lyceum/nx:tool', 'get-coupon-text', ...place)).toEqual([
        'apps/admin-api/src/coupons/get-coupon-text.tools.ts',
        'apps/admin-api/src/coupons/coupon.module.ts',
      ]);
      const change = ['--up=alter table coupons add column note text', '--down=alter table coupons drop column note'];
      expect(await generate('@lyceum/nx:migration', 'coupon-notes', '--app=admin-api', ...change)).toEqual([
        'apps/admin-api/src/migrations/TIME-coupon-notes.ts',
        'apps/admin-api/src/database.ts',
      ]);
    },
    TIMEOUT,
  );

  it(
    'refuse a collection without scopes',
    async () => {
      await expect(generate('@lyceum/nx:collection', 'vouchers')).rejects.toThrow('vouchers:read and vouchers:write');
    },
    TIMEOUT,
  );

  it(
    'write what the formatter and the linter accept',
    async () => {
      const files = [...written];
      expect(files.length).toBeGreaterThan(25);
      await copy.run('.', 'prettier', '--check', ...files);
      await copy.run('.', 'oxlint', '--type-aware', '-c', '.oxlintrc.json', ...files);
    },
    TIMEOUT,
  );

  it(
    'write what compiles',
    async () => {
      const compile = (app: string): Promise<string> => copy.run(app, 'tsc', '-p', '.');
      expect(await Promise.all([compile('apps/admin-api'), compile('apps/member-api')])).toEqual(['', '']);
    },
    TIMEOUT,
  );

  it(
    'write suites that pass, and operations that the OpenAPI document describes',
    async () => {
      copyFileSync(join(__dirname, 'document.template'), copy.path('apps/admin-api/src/document.spec.ts'));
      writeFileSync(copy.path('apps/admin-api/jest.config.mjs'), JEST);
      const suites = ['src/coupons', 'src/gift-cards', 'src/document.spec.ts', '--json'];
      const jest = ['--experimental-vm-modules', '../../libs/testing/jest/run.mjs', ...suites];
      const results = JSON.parse(await copy.run('apps/admin-api', 'node', ...jest)) as { numPassedTests: number };
      expect(results.numPassedTests).toBe(12);
    },
    TIMEOUT,
  );
});
