import { join } from 'node:path';
import type { Proof } from '../long/proof.ts';
import { filesBelow } from './links.ts';
import { DOCKERFILE, Workshop } from './workshop.ts';

const FEWEST_FILES = 1_000;

/** The suites of the images link the packages that `npm ci --omit=dev` names. This proof installs them. */
export const installProof: Proof = {
  name: 'install',
  title: 'the image of a service has the files that npm installs, as its suite links them',
  run: async (scratch) => {
    const linked = await filesOf(new Workshop(join(scratch, 'linking')));
    const installed = await filesOf(new Workshop(join(scratch, 'installing'), DOCKERFILE, {}, true));
    const unit = 'files';
    return [
      { title: 'files of the image', value: linked.size, unit, at_least: FEWEST_FILES },
      { title: 'installed, and not linked', value: without(installed, linked), unit, at_most: 0 },
      { title: 'linked, and not installed', value: without(linked, installed), unit, at_most: 0 },
    ];
  },
};

async function filesOf(workshop: Workshop): Promise<Set<string>> {
  const { root } = await workshop.make('mcp-gateway', 'production');
  return new Set(filesBelow(root).filter((file) => !file.includes('/node_modules/.') && file.startsWith('lyceum-')));
}

function without(files: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...files].filter((file) => !others.has(file)).length;
}
