import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content?: Buffer;
  /** Values of the directory in place of the facts. */
  readonly claims?: {
    readonly bytes?: number;
    readonly packed?: number;
    readonly flags?: number;
    readonly mode?: number;
  };
}

/**
 * A zip file of these entries (APPNOTE 6.3.10), also an invalid one. Entries that share a buffer are compressed once.
 */
export function zipFile(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const compressed = new Map<Buffer, Buffer>();
  let offset = 0;
  for (const { name, content = Buffer.from('text'), claims = {} } of entries) {
    const packed = compressed.get(content) ?? deflateRawSync(content);
    compressed.set(content, packed);
    const title = Buffer.from(name);
    const facts = [crc32(content), claims.packed ?? packed.length, claims.bytes ?? content.length];
    // Version 2.0, names in UTF-8, deflate.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x800 | (claims.flags ?? 0), 2);
    common.writeUInt16LE(8, 4);
    facts.forEach((fact, index) => common.writeUInt32LE(fact, 10 + 4 * index));
    common.writeUInt16LE(title.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, title, packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(((claims.mode ?? 0o100644) << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), common, rest, title]));
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}
