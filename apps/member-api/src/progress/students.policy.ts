interface OfStudent {
  readonly data: { readonly site_id: string; readonly student_id: string; readonly person_id: string | null };
}

/**
 * Splits events, in their order, into runs in which each student is one person, and each person one student. The rows
 * of a former person end between two runs.
 */
export function runsOfStudents<Event extends OfStudent>(events: readonly Event[]): Event[][] {
  const runs: Event[][] = [];
  let people = new Map<string, string>();
  for (const event of events) {
    const { site_id, student_id, person_id } = event.data;
    const pairs = [[student_id, person_id ?? ''] as const];
    if (person_id !== null) pairs.push([`${site_id} ${person_id}`, student_id]);
    const run = runs.at(-1);
    const fits = pairs.every(([key, other]) => (people.get(key) ?? other) === other);
    if (run !== undefined && fits) run.push(event);
    else {
      runs.push([event]);
      people = new Map();
    }
    for (const [key, other] of pairs) people.set(key, other);
  }
  return runs;
}
