/** Reasons for which the content of a file is refused. They are values of the API. */
export const CONTENT_REFUSALS = [
  'type_mismatch',
  'unsafe_svg',
  'unsafe_zip',
  'too_many_pixels',
  'damaged_image',
] as const;

/** Thrown for a file whose content is not of its type, or could harm its readers. */
export class ContentRefusal extends Error {
  override readonly name = 'ContentRefusal';

  constructor(
    readonly reason: (typeof CONTENT_REFUSALS)[number],
    /** Tells people what to change in the file. */
    readonly detail: string,
  ) {
    super(`${reason}: ${detail}`);
  }
}
