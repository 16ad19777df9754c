import { request } from 'node:http';
import { constants, setPriority } from 'node:os';

/** The message of the parent process. Each later message ends the uploads after those that are under way. */
export interface SentUploads {
  readonly origin: string;
  readonly content: Uint8Array;
  /** Signed links, which take their bytes again until the upload is completed. */
  readonly links: readonly { readonly path: string; readonly headers: Readonly<Record<string, string>> }[];
}

type Link = SentUploads['links'][number];

function put({ origin, content }: SentUploads, { path, headers }: Link): Promise<void> {
  return new Promise((resolve, reject) => {
    const length = { 'content-length': content.length };
    const sent = request(new URL(path, origin), { method: 'PUT', headers: { ...headers, ...length } });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const { statusCode } = response.resume();
      response.on('end', () =>
        statusCode === 200 ? resolve() : reject(new Error(`The service responded with ${statusCode} to an upload`)),
      );
    });
    sent.end(content);
  });
}

let isEnding = false;

/** Sends all files at one time, again and again. Returns the number of files that arrived. */
async function run(uploads: SentUploads): Promise<number> {
  const arrived = uploads.links.map(async (link) => {
    let count = 0;
    do {
      await put(uploads, link);
      count += 1;
    } while (!isEnding);
    return count;
  });
  return (await Promise.all(arrived)).reduce((sum, count) => sum + count, 0);
}

// Senders of a site run on other machines: here the service goes first.
setPriority(constants.priority.PRIORITY_LOW);

process.once('message', (uploads: SentUploads) => {
  process.on('message', () => (isEnding = true));
  run(uploads).then(
    (count) => process.send!(count, () => process.exit()),
    (error: Error) => process.send!(error.message, () => process.exit(1)),
  );
});
