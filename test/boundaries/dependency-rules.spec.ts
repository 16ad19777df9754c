import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const CONFIGURATIONS = ['.dependency-cruiser.cjs', '.dependency-cruiser.folders.cjs'].map((file) => join(root, file));

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

/** The fixture files that break each rule, or folders for a rule about folders. */
const VIOLATORS: Readonly<Record<string, readonly string[]>> = {
  'no-cycles': ['apps/one/src/cycle/a.ts'],
  'no-folder-cycles': ['apps/one/src/knot-a', 'apps/one/src/knot-b'],
  'an-app-never-imports-an-app': ['apps/one/src/x/imports-an-app.ts'],
  'a-lib-never-imports-an-app': ['libs/platform/src/imports-an-app.ts'],
  'contracts-and-errors-are-pure': ['libs/contracts/src/does-input-output.ts'],
  'a-contract-stays-in-its-context': [
    'libs/contracts/src/school/imports-a-context.ts',
    'libs/contracts/src/platform/imports-a-context.ts',
  ],
  'edges-call-services': ['apps/one/src/x/x.controller.ts'],
  'policies-are-pure': ['apps/one/src/x/x.policy.ts'],
  'a-repository-stays-in-its-feature': [
    'apps/one/src/y/y.service.ts',
    'apps/one/src/y/y.module.ts',
    'apps/one/src/one.module.ts',
  ],
  'sql-drivers-only-in-platform': ['apps/one/src/y/y.repository.ts'],
  'oidc-provider-only-in-provider': ['apps/auth/src/login/login.service.ts'],
  'mcp-sdk-only-in-transport': ['apps/mcp-gateway/src/calls/calls.service.ts'],
  'nats-client-only-in-messaging': ['apps/one/src/y/y.consumer.ts'],
  'production-code-imports-no-test-tools': ['apps/one/src/y/y.fake.ts'],
  'everything-resolves': ['apps/one/src/y/y.missing.ts'],
};

function cruise(config: string, directory: string, folders: string[]): Violation[] {
  const output = execFileSync(
    join(root, 'node_modules/.bin/depcruise'),
    ['--config', config, '--output-type', 'json', ...folders],
    { cwd: directory, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  return (JSON.parse(output) as { summary: { violations: Violation[] } }).summary.violations;
}

describe('the dependency rules', () => {
  const violations = CONFIGURATIONS.flatMap((config) => cruise(config, join(__dirname, 'fixtures'), ['apps', 'libs']));
  const rules = CONFIGURATIONS.flatMap((config) => {
    const { forbidden } = createRequire(__filename)(config) as { forbidden: { name: string }[] };
    return forbidden.map(({ name }) => name);
  });

  it('finds a violating fixture for each dependency rule', () => {
    expect(rules.sort()).toEqual(Object.keys(VIOLATORS).sort());
  });

  it.each(Object.entries(VIOLATORS))('reports only its own fixture: %s', (rule, files) => {
    const offenders = violations.filter((violation) => violation.rule.name === rule).map((violation) => violation.from);
    expect(new Set(offenders)).toEqual(new Set(files));
  });
});
