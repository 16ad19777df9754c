import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import type { Proof } from './proof.ts';
import { runSpec } from './run-spec.ts';

const DOCUMENTS = 2_500;

/** `npm test` compares 250 documents of one seed. This proof compares those of another seed. */
export const documentsProof: Proof = {
  name: 'documents',
  title: `${DOCUMENTS.toLocaleString('en')} generated documents of the member API against graphql-js`,
  run: async () => {
    const seed = randomInt(2 ** 31);
    const environment = { LYCEUM_DOCUMENTS: String(DOCUMENTS), LYCEUM_DOCUMENTS_SEED: String(seed) };
    const directory = join(import.meta.dirname, '../../apps/member-api');
    await runSpec(directory, 'test/compiled-selections.db.spec.ts', environment).catch((error: Error) => {
      throw new Error(`A document of the seed ${seed} has another response. ${error.message}`);
    });
    return [{ title: `documents of seed ${seed}, no other response`, value: DOCUMENTS, unit: '', at_least: DOCUMENTS }];
  },
};
