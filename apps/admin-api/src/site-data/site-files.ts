import type { ExportedFile } from '@lyceum/messaging';
import type { FileStore } from '@lyceum/storage';
import { PREFIXES } from '#src/files/file.policy.js';

/** Results of jobs and incomplete uploads are no data of the school. */
const LASTING = [PREFIXES.files];

/** Deletes all files of a site, until `step` returns false. */
export async function deleteFiles(store: FileStore, siteId: string, step: () => Promise<boolean>): Promise<void> {
  for (const top of Object.values(PREFIXES)) {
    for await (const { key } of store.list(`${top}${siteId}/`)) {
      await store.delete(key);
      if (!(await step())) return;
    }
  }
}

/** Reads the files of a site, one after the other. */
export async function* filesOf(store: FileStore, siteId: string): AsyncGenerator<ExportedFile> {
  for (const top of LASTING) {
    for await (const { key } of store.list(`${top}${siteId}/`)) {
      yield { key, content: (await store.read(key)) as AsyncIterable<Uint8Array> };
    }
  }
}
