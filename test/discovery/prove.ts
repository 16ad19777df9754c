import { factsOf, type Chapter, type Facts } from './documents.js';

/** What has to be true when the documents say so. `said`: what they say. */
export type Proof = (said: string) => Promise<void>;
export type Proofs = Readonly<Record<string, Proof>>;

/** Runs the proofs of a chapter, and holds them against what the documents say: nothing unproved, nothing unsaid. */
export function prove(chapter: Chapter, proofs: Proofs): void {
  describe(`What the documents say of ${chapter}`, () => {
    let facts: Facts;
    beforeAll(async () => {
      facts = await factsOf(chapter);
    });

    it('has a proof for each entry, and an entry for each proof', () => {
      expect(facts.size).toBeGreaterThan(1);
      expect([...facts.keys()].toSorted()).toEqual(Object.keys(proofs).toSorted());
    });

    it.each(Object.keys(proofs))('%s', (name) => proofs[name]!(facts.get(name) ?? ''), 30_000);
  });
}

/** The same proof for each of the names. */
export const each = (names: readonly string[], proof: (name: string) => Proof): Proofs =>
  Object.fromEntries(names.map((name) => [name, proof(name)]));
