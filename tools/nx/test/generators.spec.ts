import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Call, Generated } from './run-generators.ts';
import { WorkspaceCopy } from './workspace-copy.ts';

/** A resource that the contract does not have. */
const SCOPES = `
  'badges:read': read('see badges'),
  'badges:write': write('create and change badges'),`;

/** The servers are those of this suite. */
const JEST = `import preset from '../../jest.preset.mjs';
export default { ...preset, rootDir: import.meta.dirname, maxWorkers: 1 };
`;

const TIMEOUT = 240_000;

describe('the generators', () => {
  let copy: WorkspaceCopy;
  let refused: Generated | undefined;
  const written = new Set<string>();

  /** The created and changed files, with TIME in place of the time of a migration. */
  function filesOf(output: string): string[] {
    const files = [...output.matchAll(/^(?:CREATE|UPDATE) (.+)$/gm)].map(([, file = '']) => file);
    for (const file of files) written.add(file);
    return files.map((file) => file.replace(/\d{13}/, 'TIME'));
  }

  async function runAll(calls: readonly Call[]): Promise<readonly Generated[]> {
    const program = copy.path('tools/nx/test/run-generators.ts');
    return JSON.parse(await copy.run('.', 'node', program, JSON.stringify(calls))) as readonly Generated[];
  }

  /** Runs suites of a service. Returns the number of tests that passed. */
  async function passedIn(service: string, ...suites: string[]): Promise<number> {
    writeFileSync(copy.path(`${service}/jest.config.mjs`), JEST);
    const jest = ['--experimental-vm-modules', '../../libs/testing/jest/run.mjs', ...suites, '--json'];
    const results = JSON.parse(await copy.run(service, 'node', ...jest)) as { numPassedTests: number };
    return results.numPassedTests;
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
      const collection = filesOf(await copy.run('.', 'nx', 'g', '@lyceum/nx:collection', 'badges'));
      expect(collection).toEqual([
        ...['entity', 'operations', 'policy.spec', 'policy', 'schema', 'service'].map(
          (part) => `apps/admin-api/src/badges/badge.${part}.ts`,
        ),
        'apps/admin-api/src/migrations/TIME-badges.ts',
        'libs/contracts/src/school/badges.ts',
        'libs/contracts/src/school/index.ts',
        'apps/admin-api/src/collections.ts',
      ]);
      const change = { up: 'alter table badges add column note text', down: 'alter table badges drop column note' };
      const [words, consumer, grants, tool, migration, vouchers] = await runAll([
        { generator: '@lyceum/nx:collection', name: 'gift-cards', scope: 'courses' },
        { generator: '@lyceum/nx:consumer', name: 'gift-cards' },
        { generator: '@lyceum/nx:consumer', name: 'product-grants', events: 'digitalProductGrantEvents' },
        {
          generator: '@lyceum/nx:tool',
          name: 'get-badge-text',
          app: 'admin-api',
          feature: 'badges',
          scope: 'badges:read',
        },
        { generator: '@lyceum/nx:migration', name: 'badge-notes', app: 'admin-api', ...change },
        { generator: '@lyceum/nx:collection', name: 'vouchers' },
      ]);
      refused = vouchers;
      expect(filesOf(words?.output ?? '')).toContain('apps/admin-api/src/gift-cards/gift-card.operations.ts');
      expect(filesOf(consumer?.output ?? '')).toEqual([
        'apps/member-api/src/gift-cards/gift-cards.module.ts',
        'apps/member-api/src/gift-cards/gift-cards.repository.db.spec.ts',
        'apps/member-api/src/gift-cards/gift-cards.repository.ts',
        'apps/member-api/src/migrations/TIME-gift-cards.ts',
        'apps/member-api/src/migrations/migrations.ts',
        'apps/member-api/src/member-api.module.ts',
        'libs/contracts/src/topology/duties.ts',
      ]);
      expect(filesOf(grants?.output ?? '')).toContain('apps/member-api/src/migrations/TIME-product-grants.ts');
      expect(filesOf(tool?.output ?? '')).toEqual([
        'apps/admin-api/src/badges/get-badge-text.tools.ts',
        'apps/admin-api/src/badges/badge.operations.ts',
      ]);
      expect(filesOf(migration?.output ?? '')).toEqual([
        'apps/admin-api/src/migrations/TIME-badge-notes.ts',
        'apps/admin-api/src/database.ts',
      ]);
    },
    TIMEOUT,
  );

  it('refuses a collection without scopes', () => {
    expect(refused).toEqual({ code: 1, output: expect.stringContaining('vouchers:read and vouchers:write') });
  });

  it(
    'writes files that the formatter, the linter and the compiler accept',
    async () => {
      const files = [...written];
      expect(files.length).toBeGreaterThan(25);
      await copy.run('.', 'oxfmt', '--check', ...files);
      await copy.run('.', 'oxlint', '--type-aware', '--type-check', '-c', '.oxlintrc.json', ...files);
    },
    TIMEOUT,
  );

  it('gives each member of an event a column', () => {
    const [migration = ''] = [...written].filter((file) => file.endsWith('-product-grants.ts'));
    const columns = /create table product_grants \(\n(.*?)\n {6}\)/s.exec(readFileSync(copy.path(migration), 'utf8'));
    expect(columns?.[1]?.split('\n').map((line) => line.trim())).toEqual([
      'grant_id uuid,',
      'site_id uuid not null,',
      'person_id uuid not null,',
      'digital_product_id uuid not null,',
      'state text not null,',
      'granted_at timestamptz(3) not null,',
      'expires_at timestamptz(3),',
      'epoch bigint not null,',
      'version int not null,',
      `constraint product_grant_state_check check (state in ('active', 'expired', 'revoked')),`,
      'constraint product_grant_pkey primary key (grant_id)',
    ]);
  });

  it(
    'writes read models that keep the newest state of an entity',
    async () => {
      expect(await passedIn('apps/member-api', 'src/gift-cards', 'src/product-grants')).toBe(2);
    },
    TIMEOUT,
  );

  it(
    'writes suites that pass, and operations that the OpenAPI document describes',
    async () => {
      copyFileSync(join(__dirname, 'document.template'), copy.path('apps/admin-api/src/document.spec.ts'));
      expect(await passedIn('apps/admin-api', 'src/badges', 'src/gift-cards', 'src/document.spec.ts')).toBe(12);
    },
    TIMEOUT,
  );
});
