import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { ROOT } from './generated.ts';
import { modelOf } from './models.ts';
import { readGolden, titleOf } from './objects.ts';
import type { KubernetesObject, Manifests } from './objects.ts';
import { OVERLAYS } from './render.ts';

/** Within the packages, so that the types resolve; Git ignores it. */
const directory = mkdtempSync(join(ROOT, 'test/node_modules/.manifests-'));
afterAll(() => rmSync(directory, { recursive: true }));

const run = (...args: string[]): string => {
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  return stdout + stderr;
};

/** Faults by the validators: wrong types, missing fields, values outside of an enumeration. */
function invalid(manifests: Manifests): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'lyceum-objects-'));
  const file = join(folder, 'objects.yaml');
  writeFileSync(file, manifests.all.map((object) => stringify(object)).join('---\n'));
  const faults = JSON.parse(run(join(ROOT, 'test/manifests/validate.ts'), file)) as string[];
  rmSync(folder, { recursive: true });
  return faults;
}

/** Faults by the types: fields that do not exist, which the validators let pass. */
function untyped(manifests: Manifests): string[] {
  const typed = manifests.all.flatMap((object) => {
    const model = modelOf(object);
    return model === undefined ? [] : [{ model, object }];
  });
  const literals = typed.map(
    ({ model, object }, index) =>
      `const o${index}: import('${model}').I${object.kind} = ${JSON.stringify(object)}; // ${titleOf(object)}\n`,
  );
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'objects.ts');
  writeFileSync(file, literals.join(''));
  const tsc = join(ROOT, 'node_modules/typescript-native/bin/tsc');
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler'];
  return [
    ...run(tsc, ...options, '--pretty', 'false', '--types', 'node', file).matchAll(/objects\.ts\((\d+),.*?: (.*)/g),
  ].map(([, line, words]) => `${titleOf(typed[Number(line) - 1]!.object)}: ${words}`);
}

describe.each(OVERLAYS)('the objects of %s', (overlay) => {
  const manifests = readGolden(overlay);

  it('passes the models of Kubernetes and its operators', () => {
    expect(manifests.all.length).toBeGreaterThan(50);
    expect(invalid(manifests)).toEqual([]);
  });

  it('lacks fields that the models do not know', () => {
    expect(untyped(manifests)).toEqual([]);
  });
});

describe('the models', () => {
  const manifests = readGolden('prod');
  const service = manifests.get<{ spec: object }>('Service', 'auth');
  /** The objects with a changed Service. */
  function withService(spec: object): Manifests {
    const changed: KubernetesObject & { spec: object } = { ...service, spec: { ...service.spec, ...spec } };
    return manifests.without('Service', 'auth').with(changed);
  }

  it('refuses a value of another type', () => {
    expect(invalid(withService({ ports: [{ name: 'http', port: 'http' }] }))).toEqual([
      expect.stringContaining('Service/auth'),
    ]);
  });

  it('refuses an unknown field', () => {
    expect(untyped(withService({ selektor: {} }))).toEqual([expect.stringContaining('Service/auth')]);
  });
});
