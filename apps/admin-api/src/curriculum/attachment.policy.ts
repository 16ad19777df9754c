import { ApiError } from '@lyceum/errors';
import type { ATTACHMENT_KINDS } from '@lyceum/contracts';
import type { FileUse } from '#src/files/file-use.policy.js';

type AttachmentKind = (typeof ATTACHMENT_KINDS)[number];

/** An attachment of a lecture has either `url` or `file_id`. */
export interface Attachment {
  readonly title: string;
  readonly kind: AttachmentKind;
  readonly url: string | null;
  /** Undefined: the row is older than files of attachments. */
  readonly file_id?: string | null | undefined;
  readonly downloadable: boolean;
}

/** Types of the files of a kind. Undefined: each type. */
const TYPES: Readonly<Record<Exclude<AttachmentKind, 'link'>, FileUse['types']>> = {
  video: ['video/mp4', 'video/webm'],
  audio: ['audio/mpeg'],
  image: ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml'],
  pdf: ['application/pdf'],
  file: undefined,
};

interface Given extends Pick<Attachment, 'kind' | 'url'> {
  readonly file_id: string | null;
}

/** The member of an attachment that is wrong, and why. Undefined: it is right. */
export function attachmentFault({
  kind,
  url,
  file_id,
}: Given): { member: 'url' | 'file_id'; detail: string } | undefined {
  if (url === null && file_id === null) return { member: 'url', detail: 'An attachment needs a url or a file_id' };
  if (url !== null && file_id !== null)
    return { member: 'file_id', detail: 'An attachment has either a url or a file_id, not both' };
  if (kind === 'link' && file_id !== null)
    return { member: 'file_id', detail: 'An attachment of the kind link has a url' };
  return undefined;
}

/** @throws `validation_failed` for attachments with files, which a bulk request cannot check one by one */
export function requireNoFiles({ attachments }: { readonly attachments: Parameters<typeof filesOf>[0] }): void {
  const files = filesOf(attachments);
  if (files.length === 0) return;
  throw new ApiError('validation_failed', 'Lectures of a bulk request have no files', {
    errors: files.map(({ pointer }) => ({ pointer, code: 'invalid_value', detail: 'Add the file by PATCH' })),
  });
}

/** The files that attachments use. */
export function filesOf(attachments: readonly Pick<Attachment, 'kind' | 'file_id'>[]): readonly FileUse[] {
  return attachments.flatMap(({ kind, file_id }, index) => {
    if (file_id === undefined || file_id === null || kind === 'link') return [];
    const pointer = `/attachments/${index}/file_id`;
    return [{ file_id, pointer, purpose: 'attachment' as const, types: TYPES[kind] }];
  });
}
