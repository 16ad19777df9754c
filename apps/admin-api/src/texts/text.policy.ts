import { TEXT_PIECE_LENGTH } from '@lyceum/contracts';

const HIGH_SURROGATE = /[\uD800-\uDBFF]$/;

/** Divides a text into pieces that fit into events. A piece never ends within a surrogate pair. */
export function piecesOf(text: string, length: number = TEXT_PIECE_LENGTH): readonly string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > length) {
    const piece = rest.slice(0, length).replace(HIGH_SURROGATE, '');
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return [...pieces, rest];
}
