/** The fields of the form as typed. Empty: not set. */
export interface SchoolFields {
  readonly name: string;
  readonly locale: string;
  readonly timezone: string;
}

export const SCHOOL_FIELDS = ['name', 'locale', 'timezone'] as const satisfies readonly (keyof SchoolFields)[];

interface Stored {
  readonly name: string;
  readonly locale: string | null;
  readonly timezone: string | null;
}

export const schoolFields = ({ name, locale, timezone }: Stored): SchoolFields => ({
  name,
  locale: locale ?? '',
  timezone: timezone ?? '',
});

/** An empty name is no way to clear it: pages always show one. */
export function schoolPatch({ name, locale, timezone }: Partial<SchoolFields>): Partial<Stored> {
  return {
    ...(name !== undefined && { name }),
    ...(locale !== undefined && { locale: locale || null }),
    ...(timezone !== undefined && { timezone: timezone || null }),
  };
}
