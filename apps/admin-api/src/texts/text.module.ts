import { collectionModule } from '@lyceum/collections';
import { TextRepository } from './text.repository.js';
import { TextService } from './text.service.js';

/** Operators change texts with their course or lecture, so they have no operations. */
export const TextModule = collectionModule({
  operations: [],
  services: [TextService],
  providers: [TextRepository],
});
