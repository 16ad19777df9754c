import { isNewerState } from '@lyceum/contracts';
import type { StateVersion, curriculumEvents } from '@lyceum/contracts';
import type { EventOf } from '@lyceum/messaging';

export type CurriculumEvent = EventOf<[typeof curriculumEvents]>;
export type Sections = CurriculumEvent['data']['sections'];

/** The arrived pieces of one version of a curriculum, by their index. */
export interface Pieces extends StateVersion {
  readonly count: number;
  readonly sections: Readonly<Record<string, Sections>>;
}

/** Another release can divide the same version into another number of pieces. */
function isSame(one: Omit<Pieces, 'sections'>, other: Omit<Pieces, 'sections'>): boolean {
  return one.epoch === other.epoch && one.version === other.version && one.count === other.count;
}

/** Adds the pieces of events to those of the newest state. Ignores states that are not newer than the stored one. */
export function collectPieces(
  stored: StateVersion,
  waiting: Pieces | null,
  events: readonly CurriculumEvent[],
): Pieces | null {
  let newest = waiting;
  for (const { epoch, aggregate_version: version, data } of events) {
    const { piece, sections } = data;
    if (piece === null || !isNewerState({ epoch, version }, stored)) continue;
    if (newest !== null && isNewerState(newest, { epoch, version })) continue;
    const known = newest !== null && isSame(newest, { epoch, version, count: piece.count }) ? newest.sections : {};
    newest = { epoch, version, count: piece.count, sections: { ...known, [piece.index]: sections } };
  }
  return newest;
}

/** The sections of all pieces, in order. Undefined: a piece is missing. */
export function joinPieces({ count, sections: pieces }: Pieces): Sections | undefined {
  const joined: Sections = [];
  for (let index = 0; index < count; index += 1) {
    const piece = pieces[index];
    if (piece === undefined) return undefined;
    for (const section of piece) {
      const last = joined.at(-1);
      if (last?.section_id === section.section_id) last.lectures.push(...section.lectures);
      else joined.push({ ...section, lectures: [...section.lectures] });
    }
  }
  return joined;
}
