import { SaxesParser } from 'saxes';
import type { ListedFile } from './file-store.js';

export interface ListedPage {
  readonly files: readonly ListedFile[];
  /** Token of the next page. Undefined: last page. */
  readonly next: string | undefined;
}

/** Parses a response of ListObjectsV2. */
export function listedPage(xml: string): ListedPage {
  const files: ListedFile[] = [];
  let next: string | undefined;
  let text = '';
  let entry: Readonly<Record<string, string>> = {};
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    text = '';
    if (name === 'Contents') entry = {};
  });
  parser.on('text', (piece) => (text += piece));
  parser.on('closetag', ({ name }) => {
    if (name === 'Contents') files.push({ key: entry['Key'] ?? '', modified_at: new Date(entry['LastModified'] ?? 0) });
    else if (name === 'NextContinuationToken') next = text;
    else entry = { ...entry, [name]: text };
  });
  parser.write(xml).close();
  return { files, next };
}
