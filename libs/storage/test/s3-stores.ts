import { startS3Server } from '@lyceum/testing';
import { S3FileStore } from '../src/stores/s3.store.js';

export interface S3Stores {
  readonly store: S3FileStore;
  /** The same bucket, with another secret. */
  readonly stranger: S3FileStore;
  stop(): Promise<void>;
}

export async function startS3Stores(): Promise<S3Stores> {
  const { environment, stop } = await startS3Server();
  const storeOf = (secretAccessKey: string): S3FileStore =>
    new S3FileStore({
      endpoint: environment.S3_ENDPOINT,
      bucket: environment.S3_BUCKET,
      region: 'us-east-1',
      accessKeyId: environment.S3_ACCESS_KEY_ID,
      secretAccessKey,
    });
  return { store: storeOf(environment.S3_SECRET_ACCESS_KEY), stranger: storeOf('another secret'), stop };
}
