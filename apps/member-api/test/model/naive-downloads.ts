import type { Member } from './learners.js';
import { hex, signed } from './naive-page.js';

export interface Downloads {
  readonly key: Buffer;
  readonly expires: number;
}

/** The token of a download link. */
export function naiveToken({ site, person }: Member, downloads: Downloads, source: unknown, file: unknown): string {
  const bytes = Buffer.alloc(56);
  bytes.writeBigInt64BE(BigInt(downloads.expires));
  bytes.write(`${hex(person)}${hex(source)}${hex(file)}`, 8, 'hex');
  return signed(downloads.key, `download.v1\0${site}`, bytes);
}
