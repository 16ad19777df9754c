/** A fault, the alerts that it raises, and what their runbooks say under "Mend it". */
export interface Walk {
  readonly alerts: readonly string[];
  readonly fault: () => Promise<unknown>;
  /** Runs again and again until the alerts fire, and from then until they end. */
  readonly load?: () => Promise<unknown>;
  readonly mend: () => Promise<unknown>;
}
