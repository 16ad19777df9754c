import iconv from 'iconv-lite';
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
  const decoder = decoderOf(encoding);
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
        yield clean(decoder.write(piece.subarray(at, at + BYTES_OF_TURN)));
      }
    }
    yield clean(decoder.end());
  } catch (error) {
    if (!(error instanceof NotInEncoding)) throw error;
    throw new FileFault({ line: lines + 1, pointer: '', code: 'invalid_format', detail: WRONG[encoding] });
  }
  if (held !== '') yield '\n';
}

export function newlinesIn(text: string): number {
  let found = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) found += 1;
  return found;
}

class NotInEncoding extends Error {}

interface Decoder {
  /** @throws {NotInEncoding} */
  readonly write: (piece: Uint8Array) => string;
  readonly end: () => string;
}

/** The platform decodes UTF-8. Its Big5 accepts bytes that have no character, so iconv-lite decodes Big5. */
function decoderOf(encoding: ImportEncoding): Decoder {
  if (encoding === 'big5') {
    const big5 = iconv.getDecoder(encoding);
    return {
      write: (piece) => requireCharacters(big5.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength))),
      end: () => requireCharacters(big5.end() ?? ''),
    };
  }
  const utf8 = new TextDecoder(encoding, { fatal: true });
  const decode = (piece: Uint8Array, stream: boolean): string => {
    try {
      return utf8.decode(piece, { stream });
    } catch (error) {
      throw error instanceof TypeError ? new NotInEncoding() : error;
    }
  };
  return { write: (piece) => decode(piece, true), end: () => decode(new Uint8Array(), false) };
}

/** U+FFFD stands for bytes without a character, and Big5 does not have it. */
function requireCharacters(text: string): string {
  if (text.includes('\uFFFD')) throw new NotInEncoding();
  return text;
}
