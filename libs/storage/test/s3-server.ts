import S3rver from '@20minutes/s3rver';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3FileStore } from '../src/stores/s3.store.js';

export interface S3Server {
  readonly store: S3FileStore;
  /** The same bucket, with another secret. */
  readonly stranger: S3FileStore;
  stop(): Promise<void>;
}

const BUCKET = 'school-files';
/** The key of the account that s3rver knows, and its secret. */
const KEY = 'S3RVER';

export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 's3-'));
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  const storeOf = (secretAccessKey: string): S3FileStore =>
    new S3FileStore({
      endpoint: `http://127.0.0.1:${port}`,
      bucket: BUCKET,
      region: 'us-east-1',
      accessKeyId: KEY,
      secretAccessKey,
    });
  return {
    store: storeOf(KEY),
    stranger: storeOf('another secret'),
    stop: async () => {
      await server.close();
      await rm(directory, { recursive: true });
    },
  };
}
