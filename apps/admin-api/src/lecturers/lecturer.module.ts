import { collectionModule } from '@lyceum/collections';
import { Lecturer } from './lecturer.entity.js';
import { LecturerOperations } from './lecturer.operations.js';
import { LecturerRepository } from './lecturer.repository.js';
import { LecturerService } from './lecturer.service.js';
import { PublicLecturerTools } from './public-lecturer.tools.js';

export const LecturerModule = collectionModule({
  operations: [LecturerOperations],
  services: [LecturerService],
  providers: [LecturerRepository, PublicLecturerTools],
  entities: [Lecturer],
  publisher: LecturerService,
});
