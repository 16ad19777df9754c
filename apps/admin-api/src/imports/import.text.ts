import { FileFault } from './import.faults.js';
import type { ImportEncoding } from './import.policy.js';

/** The parser of CSV reads a piece in one turn of the event loop. */
const BYTES_OF_TURN = 8 * 1024;

const WRONG: Readonly<Record<ImportEncoding, string>> = {
  'utf-8': 'The file is not text in UTF-8: save it as CSV UTF-8, or name its encoding',
  big5: 'The file is not text in Big5',
};

/**
 * The text of a file, without a byte order mark, and with LF at the end of each line.
 *
 * @throws {FileFault} at the line that is not in the encoding
 */
export async function* textOf(pieces: AsyncIterable<Uint8Array>, encoding: ImportEncoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let lines = 0;
  // The LF of a CR may begin the next piece.
  let held = '';
  const clean = (piece: string): string => {
    const whole = held + piece;
    held = whole.endsWith('\r') ? '\r' : '';
    const text = whole.slice(0, whole.length - held.length).replaceAll(/\r\n?/g, '\n');
    lines += newlinesIn(text);
    return text;
  };
  try {
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length; at += BYTES_OF_TURN) {
        yield clean(decoder.decode(piece.subarray(at, at + BYTES_OF_TURN), { stream: true }));
      }
    }
    yield clean(decoder.decode());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new FileFault({ line: lines + 1, pointer: '', code: 'invalid_format', detail: WRONG[encoding] });
  }
  if (held !== '') yield '\n';
}

export function newlinesIn(text: string): number {
  let found = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) found += 1;
  return found;
}
