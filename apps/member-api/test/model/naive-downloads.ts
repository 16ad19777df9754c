import { hex, signed } from './naive-page.js';

export interface Downloads {
  readonly key: Buffer;
  readonly expires: number;
}

/** The token of a download link. */
export function naiveToken(site: string, downloads: Downloads, ids: readonly [unknown, unknown, unknown]): string {
  const bytes = Buffer.alloc(56);
  bytes.writeBigInt64BE(BigInt(downloads.expires));
  bytes.write(ids.map(hex).join(''), 8, 'hex');
  return signed(downloads.key, `download.v2\0${site}`, bytes);
}
