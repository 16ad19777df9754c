import { isPhotoType, withoutMetadata } from '@lyceum/platform';
import { ContentRefusal } from '@lyceum/storage';
import { Injectable, Logger } from '@nestjs/common';
import type { Sharp } from 'sharp';
import { BoundedTasks } from './bounded-tasks.js';
import { MAX_PIXELS, SIZED_TYPE } from './image.policy.js';
import type { DecodedType, Width } from './image.policy.js';

/** Images in memory at one time: two of `MAX_PIXELS` fit beside the service. */
const BOUNDS = { parallel: 2, waiting: 200 };
/** Longest conversion. A camera photo takes half a second. */
const TIMEOUT_SECONDS = 15;
/** Decoders of libvips for the types of images that a site may upload. */
const DECODERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}`);

/** Reads the whole file. */
type Read = () => Promise<Buffer>;

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
   * Reads the header of an image, and decodes nothing.
   *
   * @throws {ContentRefusal} for another type, a header that cannot be read, and too many pixels
   */
  requireReadable(type: DecodedType, read: Read): Promise<void> {
    return this.#tasks.run(async () => {
      const image = await this.#open(type, await read());
      const { mediaType } = await image.metadata().catch((error: unknown) => {
        if (error instanceof Error && error.message.includes('pixel limit'))
          throw new ContentRefusal(
            'too_many_pixels',
            `An image of the type ${type} has at most ${MAX_PIXELS[type]} pixels`,
          );
        throw new ContentRefusal('type_mismatch', `The image cannot be read: ${String(error)}`);
      });
      if (mediaType !== type) throw new ContentRefusal('type_mismatch', `The image is not of the type ${type}`);
    });
  }

  /** The upright first frame with at most this width. Undefined for an image that cannot be decoded. */
  sized(type: DecodedType, read: Read, width: Width): Promise<ConvertedImage | undefined> {
    return this.#tasks.run(async () => {
      const image = await this.#open(type, await read());
      return this.#encoded(
        image.autoOrient().resize({ width, withoutEnlargement: true }).webp({ quality: 80, effort: 2 }),
      );
    });
  }

  /** The image in its own size without metadata. Undefined for an image that cannot be decoded, or ends too early. */
  whole(type: DecodedType, read: Read): Promise<ConvertedImage | undefined> {
    return this.#tasks.run(async () => {
      const bytes = await read();
      if (!isPhotoType(type)) return this.#encoded((await this.#open(type, bytes)).autoOrient().webp({ effort: 2 }));
      const content = withoutMetadata(type, bytes);
      return content && { content, content_type: type };
    });
  }

  async #encoded(image: Sharp): Promise<ConvertedImage | undefined> {
    try {
      const content = await image.timeout({ seconds: TIMEOUT_SECONDS }).toBuffer();
      return { content, content_type: SIZED_TYPE };
    } catch (error) {
      this.#logger.warn({ msg: 'an image was not converted', err: error });
      return undefined;
    }
  }

  async #open(type: DecodedType, bytes: Buffer): Promise<Sharp> {
    this.#library ??= load();
    const sharp = await this.#library;
    return sharp(bytes, { limitInputPixels: MAX_PIXELS[type], failOn: 'error' });
  }
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
