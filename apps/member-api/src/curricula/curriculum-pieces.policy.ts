import type { curriculumEvents } from '@lyceum/contracts';
import type { EventOf } from '@lyceum/messaging';

export type CurriculumEvent = EventOf<[typeof curriculumEvents]>;
export type Sections = CurriculumEvent['data']['sections'];

interface Position {
  readonly epoch: number;
  readonly version: number;
}

/** The arrived pieces of one version of a curriculum, by their index. */
export interface Pieces extends Position {
  readonly count: number;
  readonly sections: Readonly<Record<string, Sections>>;
}

function isNewer(one: Position, other: Position): boolean {
  return one.epoch === other.epoch ? one.version > other.version : one.epoch > other.epoch;
}

/** Another release can divide the same version into another number of pieces. */
function isSame(one: Omit<Pieces, 'sections'>, other: Omit<Pieces, 'sections'>): boolean {
  return one.epoch === other.epoch && one.version === other.version && one.count === other.count;
}

/** Adds the pieces of events to those of the newest state. Ignores states that are not newer than the stored one. */
export function collectPieces(
  stored: Position,
  waiting: Pieces | null,
  events: readonly CurriculumEvent[],
): Pieces | null {
  let newest = waiting;
  for (const { epoch, aggregate_version: version, data } of events) {
    const { piece, sections } = data;
    if (piece === null || !isNewer({ epoch, version }, stored)) continue;
    if (newest !== null && isNewer(newest, { epoch, version })) continue;
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
