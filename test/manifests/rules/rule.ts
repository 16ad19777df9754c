import type { Manifests } from '../objects.ts';

/** A rule over the rendered objects of an overlay. */
export interface Rule {
  /** P pods, R resources, H health, A availability, S references, N network, M metadata, J Jobs, D databases. */
  readonly id: string;
  /** Completes "finds …". */
  readonly fault: string;
  /** The faults, each with the object's kind and name. */
  readonly find: (manifests: Manifests) => readonly string[];
  /** Violates the rule. Returns the changed objects when it adds or removes one. */
  readonly plant: (manifests: Manifests) => Manifests | void;
  /** The object that `plant` spoils: a part of the fault. */
  readonly spoils: string;
  /** False for a rule that the small overlay `dev` does not have to keep. */
  readonly dev?: false;
  /** True for a rule about prod alone. */
  readonly prodOnly?: true;
}
