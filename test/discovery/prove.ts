import { factsOf, type Chapter, type Facts } from './documents.js';

/** Proves one statement of the documents, `said`. */
export type Proof = (statement: string) => Promise<void>;
export type Proofs = Readonly<Record<string, Proof>>;

/** Runs the proofs of a chapter. Every statement needs a proof, and every proof a statement. */
export function prove(chapter: Chapter, proofs: Proofs): void {
  describe(`the discovery documents on ${chapter}`, () => {
    let facts: Facts;
    beforeAll(async () => {
      facts = await factsOf(chapter);
    });

    it('finds a proof for each entry, and an entry for each proof', () => {
      expect(facts.size).toBeGreaterThan(1);
      expect([...facts.keys()].toSorted()).toEqual(Object.keys(proofs).toSorted());
    });

    it.each(Object.keys(proofs))('proves %s', (name) => proofs[name]!(facts.get(name) ?? ''));
  });
}

/** The same proof for each of the names. */
export const each = (names: readonly string[], proof: (name: string) => Proof): Proofs =>
  Object.fromEntries(names.map((name) => [name, proof(name)]));
