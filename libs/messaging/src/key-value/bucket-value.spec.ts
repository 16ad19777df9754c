import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { TOPOLOGY_LIMITS } from '@lyceum/contracts';
import { BucketValueError, decodeBucketValue, encodeBucketValue } from './bucket-value.js';

const { bucketJsonBytes, bucketValueBytes } = TOPOLOGY_LIMITS;
/** JSON of so many bytes. */
const text = (bytes: number): string => 'x'.repeat(bytes - 2);

describe('a value of a bucket', () => {
  it('keeps a short value readable', () => {
    const stored = encodeBucketValue('a', { name: '課' });
    expect(Buffer.from(stored).toString()).toBe('{"name":"課"}');
    expect(decodeBucketValue(stored)).toEqual({ name: '課' });
  });

  it('compresses a long value', () => {
    const value = { name: '課'.repeat(4_096) };
    const stored = encodeBucketValue('a', value);
    expect(stored.length).toBeLessThan(1_024);
    expect(decodeBucketValue(stored)).toEqual(value);
  });

  it('gives equal bytes for equal values', () => {
    expect(encodeBucketValue('a', text(10_000))).toEqual(encodeBucketValue('a', text(10_000)));
  });

  it('accepts 4 MiB of JSON and no more', () => {
    expect(decodeBucketValue(encodeBucketValue('a', text(bucketJsonBytes)))).toBe(text(bucketJsonBytes));
    expect(() => encodeBucketValue('service.a', text(bucketJsonBytes + 1))).toThrow(BucketValueError);
  });

  it('names the key, both sizes and both limits when it is too large for the bucket', () => {
    const value = randomBytes(bucketValueBytes).toString('base64');
    expect(() => encodeBucketValue('service.a', value)).toThrow(
      /^The value of service\.a has 349530 bytes, and \d+ in its bucket: the limits are 4194304 and 262144 /,
    );
  });

  it('refuses compressed JSON beyond the limit, and bytes that are no JSON', () => {
    expect(() => decodeBucketValue(gzipSync(JSON.stringify(text(bucketJsonBytes + 1))))).toThrow(
      'Cannot create a Buffer larger than 4194304 bytes',
    );
    for (const bytes of [Buffer.from('x'), Buffer.from([0x1f, 0x8b, 0]), Buffer.alloc(0)]) {
      expect(() => decodeBucketValue(bytes)).toThrow(/JSON|unexpected end of file/);
    }
  });
});
