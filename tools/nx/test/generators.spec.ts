import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkspaceCopy } from './workspace-copy.ts';

/** A resource that the contract does not have. */
const SCOPES = `
  'badges:read': read('see badges'),
  'badges:write': write('create and change badges'),`;

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
    const scopes = copy.path('libs/contracts/src/identity/scopes.ts');
    const before = 'export const SCOPES = {';
    const titles = 'export const SCOPE_RESOURCES: Readonly<Record<ScopeResource, string>> = {';
    const source = readFileSync(scopes, 'utf8');
    expect(source).toContain(titles);
    writeFileSync(scopes, source.replace(before, `${before}${SCOPES}`).replace(titles, `${titles} badges: 'Badges',`));
  });
  afterAll(() => copy.remove());

  it(
    'writes the files of each generator',
    async () => {
      const collection = await generate('@lyceum/nx:collection', 'badges');
      expect(collection).toEqual([
        ...['entity', 'module', 'operations', 'policy.spec', 'policy', 'schema', 'service'].map(
          (part) => `apps/admin-api/src/badges/badge.${part}.ts`,
        ),
        'apps/admin-api/src/migrations/TIME-badges.ts',
        'libs/contracts/src/school/badges.ts',
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
      const place = ['--app=admin-api', '--feature=badges', '--scope=badges:read'];
      expect(await generate('@lyceum/nx:tool', 'get-badge-text', ...place)).toEqual([
        'apps/admin-api/src/badges/get-badge-text.tools.ts',
        'apps/admin-api/src/badges/badge.module.ts',
      ]);
      const change = ['--up=alter table badges add column note text', '--down=alter table badges drop column note'];
      expect(await generate('@lyceum/nx:migration', 'badge-notes', '--app=admin-api', ...change)).toEqual([
        'apps/admin-api/src/migrations/TIME-badge-notes.ts',
        'apps/admin-api/src/database.ts',
      ]);
    },
    TIMEOUT,
  );

  it(
    'refuses a collection without scopes',
    async () => {
      await expect(generate('@lyceum/nx:collection', 'vouchers')).rejects.toThrow('vouchers:read and vouchers:write');
    },
    TIMEOUT,
  );

  it(
    'writes files that the formatter and the linter accept',
    async () => {
      const files = [...written];
      expect(files.length).toBeGreaterThan(25);
      await copy.run('.', 'prettier', '--check', ...files);
      await copy.run('.', 'oxlint', '--type-aware', '-c', '.oxlintrc.json', ...files);
    },
    TIMEOUT,
  );

  it(
    'writes files that compile',
    async () => {
      const include = ['apps/admin-api/src', 'apps/member-api/src'];
      writeFileSync(copy.path('tsconfig.written.json'), JSON.stringify({ extends: './tsconfig.base.json', include }));
      const compiler = 'node_modules/typescript-native/bin/tsc';
      expect(await copy.run('.', 'node', compiler, '-p', 'tsconfig.written.json')).toBe('');
    },
    TIMEOUT,
  );

  it(
    'writes suites that pass, and operations that the OpenAPI document describes',
    async () => {
      copyFileSync(join(__dirname, 'document.template'), copy.path('apps/admin-api/src/document.spec.ts'));
      writeFileSync(copy.path('apps/admin-api/jest.config.mjs'), JEST);
      const suites = ['src/badges', 'src/gift-cards', 'src/document.spec.ts', '--json'];
      const jest = ['--experimental-vm-modules', '../../libs/testing/jest/run.mjs', ...suites];
      const results = JSON.parse(await copy.run('apps/admin-api', 'node', ...jest)) as { numPassedTests: number };
      expect(results.numPassedTests).toBe(12);
    },
    TIMEOUT,
  );
});
