import { secretKeys } from '@lyceum/platform';
import { z } from 'zod';
import type { FileStore } from './stores/file-store.js';
import { LocalFileStore } from './stores/local.store.js';
import { S3FileStore } from './stores/s3.store.js';

/** Environment variables of a service that stores files: `S3_*` for a bucket, or `FILES_*` for a local directory. */
export const storageEnvironment = {
  S3_ENDPOINT: z.url({ protocol: /^https?$/, message: 'must be an http(s) URL' }).optional(),
  S3_BUCKET: z.string().optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  /** Directory of the files, without `S3_ENDPOINT`. */
  FILES_DIRECTORY: z.string().default('files'),
  /** Sign links to files of the directory. */
  FILES_KEY: secretKeys.optional(),
};
/** The parsed variables of `storageEnvironment`. */
export type StorageConfiguration = z.infer<z.ZodObject<typeof storageEnvironment>>;

const BUCKET = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;

/** A check of the schema of a service: reports each variable that the chosen store lacks. */
export const hasStore: z.core.CheckFn<StorageConfiguration> = ({ value, issues }) => {
  for (const name of value.S3_ENDPOINT === undefined ? (['FILES_KEY'] as const) : BUCKET) {
    if (value[name] === undefined) issues.push({ code: 'custom', path: [name], message: 'is required', input: value });
  }
};

/** Creates the file store of a configuration that `hasStore` accepts: a bucket with `S3_ENDPOINT`, else a directory. */
export function storeOf(config: StorageConfiguration): FileStore {
  const needed = <Name extends keyof StorageConfiguration>(name: Name): NonNullable<StorageConfiguration[Name]> => {
    const value = config[name];
    if (value === undefined) throw new Error(`${name} is required: the store of files needs it`);
    return value;
  };
  if (config.S3_ENDPOINT === undefined) return new LocalFileStore(config.FILES_DIRECTORY, needed('FILES_KEY'));
  return new S3FileStore({
    endpoint: config.S3_ENDPOINT,
    bucket: needed('S3_BUCKET'),
    region: config.S3_REGION,
    accessKeyId: needed('S3_ACCESS_KEY_ID'),
    secretAccessKey: needed('S3_SECRET_ACCESS_KEY'),
  });
}
