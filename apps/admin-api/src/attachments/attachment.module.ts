import { collectionModule } from '@lyceum/collections';
import { AttachmentRepository } from './attachment.repository.js';
import { AttachmentService } from './attachment.service.js';

/** Operators change attachments with their lecture, so they have no operations. */
export const AttachmentModule = collectionModule({
  operations: [],
  services: [AttachmentService],
  providers: [AttachmentRepository],
});
