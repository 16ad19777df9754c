import type { Readable } from 'node:stream';
import { isPhotoType, withoutMetadata } from '@lyceum/platform';
import { ContentRefusal } from '@lyceum/storage';
import { Injectable, Logger } from '@nestjs/common';
import type { ResizeOptions, Sharp } from 'sharp';
import { BoundedTasks } from './bounded-tasks.js';
import { MAX_PIXELS, SIZED_TYPE, requireTime } from './image.policy.js';
import type { DecodedType, Width } from './image.policy.js';

/** Images in memory at one time: two of `MAX_PIXELS` fit beside the service. */
const BOUNDS = { parallel: 2, waiting: 200 };
/** Longest conversion. A camera photo takes half a second. */
const TIMEOUT_SECONDS = 15;
/** First bytes of a larger image, whose header often names its pixels: one with too many is read no further. */
export const HEADER_BYTES = 128 * 1024;
/** Longest side of a WebP in pixels. */
const MAX_SIDE = 16_383;
/** Decoders of libvips for the types of images that a site may upload. */
const DECODERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`);

/** Opens the file for one read. */
type Read = () => Promise<Readable>;

/** A file as everyone may read it. */
export interface ConvertedImage {
  readonly content: Buffer;
  readonly content_type: string;
}

type Library = (typeof import('sharp'))['default'];

/** Checks and converts images in threads, outside of the event loop. Metadata goes with each conversion. */
@Injectable()
export class ImageConverter {
  readonly #logger = new Logger(ImageConverter.name);
  readonly #tasks = new BoundedTasks(BOUNDS);
  #library: Promise<Library> | undefined;

  /**
   * Reads and decodes an image. Its header is checked first, so an image with too many pixels is not decoded.
   *
   * @throws {ContentRefusal} for another type, a header that cannot be read, too many pixels, and damaged pixels
   * @throws `temporarily_unavailable` when the image takes too long
   */
  requireReadable(type: DecodedType, read: Read): Promise<void> {
    return this.#tasks.run(async () => {
      const bytes = await this.#bytes(type, await read());
      const { mediaType } = await this.#header(type, bytes).catch((error: unknown) => {
        if (error instanceof ContentRefusal) throw error;
        throw new ContentRefusal('type_mismatch', `The image cannot be read: ${String(error)}`);
      });
      if (mediaType !== type) throw new ContentRefusal('type_mismatch', `The image is not of the type ${type}`);
      const isComplete = !isPhotoType(type) || withoutMetadata(type, bytes) !== undefined;
      // A reduction to one pixel decodes all of them, and fits every shape.
      const pixel = (await this.#open(type, bytes)).resize({ width: 1, height: 1, fit: 'fill' }).raw();
      if (!isComplete || (await this.#rendered(pixel)) === undefined)
        throw new ContentRefusal('damaged_image', 'The pixels of the image cannot be decoded');
    });
  }

  /**
   * The upright first frame with at most this width, and a height that WebP has. Undefined for an image that cannot be
   * decoded.
   */
  sized(type: DecodedType, read: Read, width: Width): Promise<ConvertedImage | undefined> {
    return this.#tasks.run(async () => {
      const image = await this.#open(type, await bytesOf(read));
      return this.#encoded(
        image
          .autoOrient()
          .resize(within({ width, height: MAX_SIDE }))
          .webp({ quality: 80, effort: 2 }),
      );
    });
  }

  /**
   * The image without metadata in its own size. An AVIF becomes a WebP, with sides that WebP has. Undefined for one
   * that cannot be decoded, or ends too early.
   */
  whole(type: DecodedType, read: Read): Promise<ConvertedImage | undefined> {
    return this.#tasks.run(async () => {
      const bytes = await bytesOf(read);
      if (!isPhotoType(type)) {
        const image = (await this.#open(type, bytes)).autoOrient();
        return this.#encoded(image.resize(within({ width: MAX_SIDE, height: MAX_SIDE })).webp({ effort: 2 }));
      }
      const content = withoutMetadata(type, bytes);
      return content && { content, content_type: type };
    });
  }

  async #encoded(image: Sharp): Promise<ConvertedImage | undefined> {
    const content = await this.#rendered(image);
    return content && { content, content_type: SIZED_TYPE };
  }

  /**
   * Undefined for pixels that the decoder refuses, each time.
   *
   * @throws `temporarily_unavailable` at the time limit, which a valid image can reach on a busy machine
   */
  async #rendered(image: Sharp): Promise<Buffer | undefined> {
    try {
      return await image.timeout({ seconds: TIMEOUT_SECONDS }).toBuffer();
    } catch (error) {
      this.#logger.warn({ msg: 'an image was not converted', err: error });
      requireTime(error, TIMEOUT_SECONDS);
      return undefined;
    }
  }

  /** All bytes of an image. @throws {ContentRefusal} after `HEADER_BYTES` that name too many pixels */
  async #bytes(type: DecodedType, file: Readable): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let bytes = 0;
    let isFirst = true;
    // An error ends the read.
    for await (const piece of file as AsyncIterable<Buffer>) {
      pieces.push(piece);
      bytes += piece.length;
      if (!isFirst || bytes < HEADER_BYTES) continue;
      isFirst = false;
      await this.#header(type, Buffer.concat(pieces)).catch((error: unknown) => {
        // Some formats need more bytes.
        if (error instanceof ContentRefusal) throw error;
      });
    }
    return Buffer.concat(pieces);
  }

  /** @throws {ContentRefusal} for too many pixels */
  async #header(type: DecodedType, bytes: Buffer) {
    const image = await this.#open(type, bytes);
    return image.metadata().catch((error: unknown) => {
      if (!(error instanceof Error && error.message.includes('pixel limit'))) throw error;
      throw new ContentRefusal(
        'too_many_pixels',
        `An image of the type ${type} has at most ${MAX_PIXELS[type]} pixels`,
      );
    });
  }

  async #open(type: DecodedType, bytes: Buffer): Promise<Sharp> {
    this.#library ??= load();
    const sharp = await this.#library;
    return sharp(bytes, { limitInputPixels: MAX_PIXELS[type], failOn: 'error' });
  }
}

/** Never enlarges. */
function within(size: { readonly width: number; readonly height: number }): ResizeOptions {
  return { ...size, fit: 'inside', withoutEnlargement: true };
}

async function bytesOf(read: Read): Promise<Buffer> {
  return Buffer.concat((await (await read()).toArray()) as Buffer[]);
}

/** Loads the native library with the first image, because few requests need it. */
async function load(): Promise<Library> {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: DECODERS });
  return sharp;
}
