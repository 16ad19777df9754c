/** A removed member, with what the school knew of the person before. */
export interface ErasedPerson {
  readonly site_id: string;
  /** Ids of the member and the student. */
  readonly ids: readonly string[];
  /** Address, name, phone number and own key. */
  readonly texts: readonly string[];
}
