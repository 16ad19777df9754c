/** The effect of a row depends on whether an object with its member `by` exists. */
interface ModeRule {
  /** Member that finds the object. Null: an object that exists is a fault. */
  readonly by: 'email' | 'external_id' | 'slug' | null;
  /** Whether a row without an object adds one. */
  readonly creates: boolean;
}

const MODES = {
  create_only: { by: null, creates: true },
  upsert_by_email: { by: 'email', creates: true },
  upsert_by_external_id: { by: 'external_id', creates: true },
  upsert_by_slug: { by: 'slug', creates: true },
  update_by_email: { by: 'email', creates: false },
  update_by_external_id: { by: 'external_id', creates: false },
  update_by_slug: { by: 'slug', creates: false },
} as const satisfies Readonly<Record<string, ModeRule>>;

export type ImportMode = keyof typeof MODES;

export const IMPORT_MODES = Object.keys(MODES) as [ImportMode, ...ImportMode[]];

export function ruleOf(mode: ImportMode): ModeRule {
  return MODES[mode];
}

/** Modes for objects with these unique members. */
export function modesFor(unique: readonly string[]): ImportMode[] {
  return IMPORT_MODES.filter((mode) => {
    const { by } = ruleOf(mode);
    return by === null || unique.includes(by);
  });
}
