type OfSomebody = { readonly data: { readonly person_id: string | null } };
export type OfPerson<Event extends OfSomebody> = Event & {
  readonly data: Event['data'] & { readonly person_id: string };
};

/** Selects the events of known people. Other events are published again, as `linked`, when their person is known. */
export function ofKnownPeople<Event extends OfSomebody>(events: readonly Event[]): OfPerson<Event>[] {
  return events.filter((event): event is OfPerson<Event> => event.data.person_id !== null);
}
