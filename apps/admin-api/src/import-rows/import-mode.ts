/**
 * Keys by which objects of a site are unique, and by which modes find them: the members of each key by its name. Two
 * objects share neither the value of a key of one member, nor all values of a key of several.
 */
export type ImportKeys = Readonly<Record<string, readonly [string, ...string[]]>>;

/** The effect of a row depends on whether an object with its key `by` exists. */
interface ModeRule {
  /** Key that finds the object. Null: an object that exists is a fault. */
  readonly by: 'email' | 'external_id' | 'slug' | 'student_and_course' | null;
  /** Whether a row without an object adds one. */
  readonly creates: boolean;
}

const MODES = {
  create_only: { by: null, creates: true },
  upsert_by_email: { by: 'email', creates: true },
  upsert_by_external_id: { by: 'external_id', creates: true },
  upsert_by_slug: { by: 'slug', creates: true },
  upsert_by_student_and_course: { by: 'student_and_course', creates: true },
  update_by_email: { by: 'email', creates: false },
  update_by_external_id: { by: 'external_id', creates: false },
  update_by_slug: { by: 'slug', creates: false },
  update_by_student_and_course: { by: 'student_and_course', creates: false },
} as const satisfies Readonly<Record<string, ModeRule>>;

export type ImportMode = keyof typeof MODES;

export const IMPORT_MODES = Object.keys(MODES) as [ImportMode, ...ImportMode[]];

export function ruleOf(mode: ImportMode): ModeRule {
  return MODES[mode];
}

/** Members of the key by which a mode finds objects. Empty: it finds none. */
export function membersOf(keys: ImportKeys, mode: ImportMode): readonly string[] {
  const { by } = ruleOf(mode);
  return by === null ? [] : (keys[by] ?? []);
}

/** Modes for objects with these keys. */
export function modesFor(keys: ImportKeys): ImportMode[] {
  return IMPORT_MODES.filter((mode) => {
    const { by } = ruleOf(mode);
    return by === null || by in keys;
  });
}

/** Keys of one member each, which have the name of the member. */
export function keysOf(...members: readonly string[]): ImportKeys {
  return Object.fromEntries(members.map((member) => [member, [member] as const]));
}
